#!/bin/sh
set -e
i=0; while [ $i -lt 1000 ]; do printf '%08d' $((i * 7 % 1000)); i=$((i+1)); done > column.bin
