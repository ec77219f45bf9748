#!/bin/sh
set -e
echo "0 0" > state
i=0; while [ $i -lt 30 ]; do echo "$((i%4)) hit"; i=$((i+1)); done > hits
