#!/bin/sh
set -e
i=0; while [ $i -lt 3000 ]; do echo "$((i*7919%10007)) line"; i=$((i+1)); done > in.txt
