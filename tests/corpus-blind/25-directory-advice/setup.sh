#!/bin/sh
set -e
i=0; while [ $i -lt 50 ]; do mkdir -p sets/$i; echo $i > sets/$i/a; echo $i > sets/$i/b; i=$((i+1)); done
