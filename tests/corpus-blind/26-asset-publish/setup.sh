#!/bin/sh
set -e
mkdir -p assets
i=0; while [ $i -lt 25 ]; do head -c 262144 /dev/zero | tr '\0' 'a' > assets/$i.js; i=$((i+1)); done
