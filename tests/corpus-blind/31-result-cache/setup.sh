#!/bin/sh
set -e
mkdir -p results
i=0; while [ $i -lt 80 ]; do echo "score $((i*37%101))" > results/$i.txt; i=$((i+1)); done
