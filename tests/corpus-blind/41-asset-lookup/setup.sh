#!/bin/sh
set -e
mkdir -p icons
i=0; while [ $i -lt 150 ]; do : > icons/icon-$i@$((i%3+1))x.png; i=$((i+1)); done
