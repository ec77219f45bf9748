#!/bin/sh
set -e
mkdir -p data
i=0; while [ $i -lt 80 ]; do echo $((i*2)) > data/$i; i=$((i+1)); done
echo base > heartbeat
