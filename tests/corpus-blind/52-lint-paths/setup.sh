#!/bin/sh
set -e
mkdir -p src
i=0; while [ $i -lt 30 ]; do { echo 'import os'; printf 'x = 1 \ny = 2\t\nz = 3 \n'; for k in 1 2 3 4 5 6 7; do echo "a$k = $k "; done; } > src/f$i.py; i=$((i+1)); done
