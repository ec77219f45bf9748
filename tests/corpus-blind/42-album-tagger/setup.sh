#!/bin/sh
set -e
i=0; while [ $i -lt 100 ]; do mkdir -p songs/$i; printf 'title=Song %d\nlength=%d\n' $i $((100+i)) > songs/$i/tag.txt; i=$((i+1)); done
