#!/bin/sh
set -e
mkdir -p src
i=0; while [ $i -lt 70 ]; do if [ $i -lt 69 ]; then echo "import m$((i+1))"; else echo "// end"; fi > src/m$i.ts; i=$((i+1)); done
