#!/bin/sh
set -e
i=0; while [ $i -lt 250 ]; do printf '%08d%08d\n' $i $((i*3)); i=$((i+1)); done > ledger.dat
