#!/bin/sh
set -e
i=0; while [ $i -lt 2000 ]; do printf '%03d' $((i%256)); i=$((i+1)); done > picture.txt
