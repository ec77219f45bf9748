#!/bin/sh
set -e
mkdir -p store/a/b/c/d/e/f/day
i=0; while [ $i -lt 150 ]; do printf "%$((i+1))s" x > store/a/b/c/d/e/f/day/blob$i; i=$((i+1)); done
