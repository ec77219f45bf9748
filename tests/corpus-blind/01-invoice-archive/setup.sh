#!/bin/sh
set -e
mkdir -p invoices
i=1000; while [ $i -lt 1120 ]; do printf 'customer %d\namount %d\n' $((i%17)) $((i*3)) > invoices/$i.txt; i=$((i+1)); done
