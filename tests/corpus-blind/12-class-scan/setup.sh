#!/bin/sh
set -e
for p in a b c d e; do mkdir -p classes/$p/sub; i=0; while [ $i -lt 28 ]; do : > classes/$p/C$i.class; i=$((i+1)); done; done
