#!/bin/sh
set -e
mkdir -p spool
i=0; while [ $i -lt 120 ]; do printf 'job %d pages %d\n' $i $((i%13+1)) > spool/$i.job; i=$((i+1)); done
