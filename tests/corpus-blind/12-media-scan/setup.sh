#!/bin/sh
set -e
for a in a b c d; do mkdir -p media/$a/live; i=0; while [ $i -lt 35 ]; do : > media/$a/$i.ogg; i=$((i+1)); done; : > media/$a/live/x.ogg; done
