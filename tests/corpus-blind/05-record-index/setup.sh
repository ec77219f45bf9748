#!/bin/sh
set -e
i=0; while [ $i -lt 300 ]; do printf '%-63s\n' "order $i"; i=$((i+1)); done > journal.bin
