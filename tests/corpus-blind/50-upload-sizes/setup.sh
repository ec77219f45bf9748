#!/bin/sh
set -e
mkdir -p outbox
i=0; while [ $i -lt 90 ]; do printf "%$((i*3+1))s" y > outbox/$i.dat; i=$((i+1)); done
