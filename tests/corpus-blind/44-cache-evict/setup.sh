#!/bin/sh
set -e
mkdir -p cache
i=0; while [ $i -lt 240 ]; do echo "$i" > cache/e$i.bin; i=$((i+2)); done
