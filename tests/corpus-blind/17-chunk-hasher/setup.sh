#!/bin/sh
set -e
i=0; while [ $i -lt 1000 ]; do printf '%-32d' $i; i=$((i+1)); done > disk.img
