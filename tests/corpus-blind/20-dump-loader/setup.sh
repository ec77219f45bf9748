#!/bin/sh
set -e
mkdir -p dumps
head -c 61440 /dev/zero | tr '\0' ';' > block
i=0; while [ $i -lt 20 ]; do { echo "-- dump $i"; cat block; } > dumps/$i.sql; i=$((i+1)); done
rm block
