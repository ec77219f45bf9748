#!/bin/sh
set -e
i=0; while [ $i -lt 60 ]; do mkdir -p repos/r$i; echo "1.$i" > repos/r$i/VERSION; i=$((i+1)); done
