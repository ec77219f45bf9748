#!/bin/sh
set -e
mkdir -p real/uploads
ln -s real data
i=0; while [ $i -lt 100 ]; do echo $i > real/uploads/f$i; i=$((i+1)); done
