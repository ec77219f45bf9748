#!/bin/sh
set -e
mkdir -p snap
i=0; while [ $i -lt 30 ]; do head -c 8192 /dev/zero | tr '\0' 's' > snap/$i.img; i=$((i+1)); done
