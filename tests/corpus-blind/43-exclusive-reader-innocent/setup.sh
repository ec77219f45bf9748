#!/bin/sh
set -e
mkdir -p books
i=0; while [ $i -lt 20 ]; do echo "$((i*5))" > books/$i; i=$((i+1)); done
