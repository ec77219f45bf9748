#!/bin/sh
set -e
mkdir -p locks
i=0; while [ $i -lt 100 ]; do echo $((i+300)) > locks/$i.lock; i=$((i+1)); done
