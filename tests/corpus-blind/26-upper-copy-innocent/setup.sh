#!/bin/sh
set -e
mkdir -p in out
i=0; while [ $i -lt 10 ]; do head -c 131072 /dev/zero | tr '\0' 'k' > in/$i.txt; i=$((i+1)); done
