#!/bin/sh
set -e
i=0; while [ $i -lt 256 ]; do printf '%-255d\n' $((i * 7 % 256)); i=$((i+1)); done > pages.db
