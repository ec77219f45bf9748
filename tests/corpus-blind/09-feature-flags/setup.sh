#!/bin/sh
set -e
mkdir -p flags
touch flags/README
i=0; while [ $i -lt 100 ]; do echo "{\"id\":$i,\"cents\":$((i*250+99)),\"country\":\"DE\"}"; i=$((i+1)); done > orders.jsonl
