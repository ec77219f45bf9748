#!/bin/sh
set -e
i=0; while [ $i -lt 150 ]; do printf 'member%d.txt %d\n' $i $((i % 30 + 40)); printf "%$((i % 30 + 40))s" x; i=$((i+1)); done > archive.arc
