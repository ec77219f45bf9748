#!/bin/sh
set -e
mkdir -p tree/project/src
ln -s tree/project link
i=0; while [ $i -lt 10 ]; do echo "code $i" > tree/project/src/s$i.js; i=$((i+1)); done
i=0; while [ $i -lt 150 ]; do echo "s$((i%10)).js:$i"; i=$((i+1)); done > trace.txt
