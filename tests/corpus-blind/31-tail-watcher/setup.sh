#!/bin/sh
set -e
mkdir -p logs
i=0; while [ $i -lt 100 ]; do printf 'start\nwork\nexit %d\n' $((i%4)) > logs/job$i.log; i=$((i+1)); done
