#!/bin/sh
set -e
mkdir -p src obj
i=0; while [ $i -lt 100 ]; do echo "source $i" > src/$i.txt; echo "object" > obj/$i.out; i=$((i+1)); done
touch -d 2022-01-01 src/*.txt
touch -d 2023-01-01 obj/*.out
touch -d 2024-01-01 src/?0.txt
