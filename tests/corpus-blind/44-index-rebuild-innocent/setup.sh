#!/bin/sh
set -e
mkdir -p texts
i=0; while [ $i -lt 20 ]; do echo "alpha beta $i" > texts/$i; i=$((i+1)); done
echo 'alpha 3' > index.old
