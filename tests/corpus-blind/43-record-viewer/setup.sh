#!/bin/sh
set -e
mkdir -p records
i=0; while [ $i -lt 100 ]; do printf '%08d%08d' $i $((i*19)) > records/$i.rec; i=$((i+1)); done
