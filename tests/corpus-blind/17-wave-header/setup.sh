#!/bin/sh
set -e
i=0; while [ $i -lt 1000 ]; do printf '%04d' $((i * 37 % 9000)); i=$((i+1)); done > tone.pcm
