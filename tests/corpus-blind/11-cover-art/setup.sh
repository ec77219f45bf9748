#!/bin/sh
set -e
mkdir -p covers
i=0; while [ $i -lt 90 ]; do printf "picture of album %d" $i > covers/$i.jpg; i=$((i+1)); done
