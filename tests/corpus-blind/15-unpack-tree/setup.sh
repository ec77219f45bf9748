#!/bin/sh
set -e
i=0; while [ $i -lt 120 ]; do echo "lib/f$i.txt content $i"; i=$((i+1)); done > bundle.txt
