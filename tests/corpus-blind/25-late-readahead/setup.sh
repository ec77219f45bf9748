#!/bin/sh
set -e
mkdir -p logs
i=0; while [ $i -lt 60 ]; do { printf 'error %d\n' $i; head -c 20000 /dev/zero | tr '\0' '\n'; } > logs/$i.log; i=$((i+1)); done
