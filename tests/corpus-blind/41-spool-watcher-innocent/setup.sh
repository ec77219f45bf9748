#!/bin/sh
set -e
mkdir -p inbox
for n in 1 2 3 4; do echo "task $n" > inbox/t$n; done
