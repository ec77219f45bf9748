#!/bin/sh
set -e
mkdir -p pics
i=0; while [ $i -lt 120 ]; do if [ $((i%2)) = 0 ]; then printf 'GOOD%d' $i; else printf 'torn'; fi > pics/$i.dat; i=$((i+1)); done
