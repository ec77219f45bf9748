#!/bin/sh
set -e
mkdir -p images
i=0; while [ $i -lt 60 ]; do { printf 'P6 %d 20 255\n' $((i+10)); head -c 12000 /dev/zero | tr '\0' 'r'; } > images/$i.ppm; i=$((i+1)); done
