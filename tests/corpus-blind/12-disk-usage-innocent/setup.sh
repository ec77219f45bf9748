#!/bin/sh
set -e
mkdir -p home/a home/b home/c
for d in a b c; do i=0; while [ $i -lt 48 ]; do printf "%$((i*7+1))s" z > home/$d/f$i; i=$((i+1)); done; done
