#!/bin/sh
set -e
mkdir -p thumbs
i=0; while [ $i -lt 180 ]; do printf 'x%d' $i > thumbs/t$i.jpg; i=$((i+1)); done
