#!/bin/sh
set -e
mkdir -p plugins
i=0; while [ $i -lt 15 ]; do printf 'NAME = "p%d"\ndef run(n):\n    return n %% %d\n' $i $((i+2)) > plugins/p$i.py; i=$((i+1)); done
touch -d '2021-06-01' plugins/p*.py
python3 -m compileall -q plugins
touch -d '2022-06-01' plugins/p*.py
