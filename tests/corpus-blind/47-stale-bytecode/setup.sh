#!/bin/sh
set -e
mkdir -p tool
i=0; while [ $i -lt 12 ]; do printf 'def f(x):\n    return x * %d\n' $i > tool/m$i.py; i=$((i+1)); done
{ i=0; while [ $i -lt 12 ]; do echo "from . import m$i"; i=$((i+1)); done
echo 'ALL = [v for n, v in sorted(globals().items()) if n[0] == "m"]'; } > tool/__init__.py
python3 -m compileall -q tool
touch -d '2021-01-01' tool/m*.py
