#!/bin/sh
set -e
mkdir -p master
i=0; while [ $i -lt 30 ]; do head -c 131072 /dev/zero | tr '\0' 'i' > master/$i.iso; i=$((i+1)); done
