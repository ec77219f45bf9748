#!/bin/sh
set -e
mkdir -p docs
i=0; while [ $i -lt 30 ]; do echo "chapter $i: $((i*i)) words" > docs/$i.txt; i=$((i+1)); done
