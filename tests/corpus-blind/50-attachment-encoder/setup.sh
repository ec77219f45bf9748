#!/bin/sh
set -e
mkdir -p att
i=0; while [ $i -lt 110 ]; do printf "attachment %d %$((i%20+1))s" $i x > att/$i.bin; i=$((i+1)); done
