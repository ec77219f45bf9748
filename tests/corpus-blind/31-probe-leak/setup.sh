#!/bin/sh
set -e
mkdir -p files
i=0; while [ $i -lt 100 ]; do if [ $((i%10)) -lt 3 ]; then printf 'GIF8 %d' $i; else printf 'other %d' $i; fi > files/$i; i=$((i+1)); done
