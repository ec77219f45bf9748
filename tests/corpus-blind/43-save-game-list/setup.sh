#!/bin/sh
set -e
mkdir -p saves
i=0; while [ $i -lt 90 ]; do printf 'SAVE%04dlevel of hero %d' $((i%40)) $i > saves/$i.sav; i=$((i+1)); done
