#!/bin/sh
set -e
mkdir -p in side
i=0; while [ $i -lt 50 ]; do echo $i > in/$i; echo $((i+1)) > side/$i; i=$((i+1)); done
