#!/bin/sh
set -e
{ echo "columns 2"; i=0; while [ $i -lt 40 ]; do echo "row $i $((i*i))"; i=$((i+1)); done; } > table.txt
