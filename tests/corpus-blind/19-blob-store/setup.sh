#!/bin/sh
set -e
mkdir -p blobs
i=0; while [ $i -lt 120 ]; do printf "blob number $i %$((i%40+1))s" end > blobs/$i.bin; i=$((i+1)); done
