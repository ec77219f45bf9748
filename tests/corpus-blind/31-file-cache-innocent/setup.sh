#!/bin/sh
set -e
mkdir -p shards
i=0; while [ $i -lt 400 ]; do echo "$((i*7919%1000)) value$i"; i=$((i+1)); done > records.txt
