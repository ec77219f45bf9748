#!/bin/bash
# One job in a process of its own, as a queue runner or cron starts it.
set -euo pipefail

job=$1
. ./worker.conf

mapfile -t rows < "$job"
total=0
for row in "${rows[@]}"; do
    value=${row#* }
    if [ "$value" -le "$limit" ]; then
        total=$((total + value))
    fi
done
name=${job##*/}
echo "$prefix$separator${name%.txt}$separator${#rows[@]}$separator$total"
