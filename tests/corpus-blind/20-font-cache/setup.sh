#!/bin/sh
set -e
mkdir -p fonts
i=0; while [ $i -lt 30 ]; do { printf 'STARTFONT %d\n' $i; head -c 40000 /dev/zero | tr '\0' 'g'; } > fonts/$i.bdf; i=$((i+1)); done
