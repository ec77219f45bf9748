#!/bin/sh
set -e
mkdir -p pkgs
i=0; while [ $i -lt 80 ]; do { printf 'name: p%d\nsize: %d\n\n' $i $((i*11)); head -c 6000 /dev/zero | tr '\0' 'p'; } > pkgs/p$i.pkg; i=$((i+1)); done
