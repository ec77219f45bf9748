#!/bin/sh
set -e
mkdir -p deep/1/2/3/4/5/6
i=0; while [ $i -lt 120 ]; do echo "word$i and more" > deep/1/2/3/4/5/6/$i.txt; i=$((i+1)); done
