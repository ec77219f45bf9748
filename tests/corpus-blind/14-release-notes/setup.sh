#!/bin/sh
set -e
echo 4.2.1 > VERSION
i=0; while [ $i -lt 80 ]; do echo "fix number $i"; i=$((i+1)); done > changes.txt
