#!/bin/sh
set -e
i=0; while [ $i -lt 200 ]; do printf '%04d' $((16 + i % 50)); printf "%$((16 + i % 50))s" x; i=$((i+1)); done > capture.pkt
