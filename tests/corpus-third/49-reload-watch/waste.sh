#!/bin/bash
# Starts a worker and continues when it is ready.
set -u
status=$PWD/worker.status

worker() {
    local sum=0 i
    for ((i = 0; i < 1000; i++)); do
        sum=$((sum + i))
    done
    sleep 0.4
    echo "ready $sum" > "$status.tmp"
    mv "$status.tmp" "$status"
}

worker &
pid=$!

tries=0
until [ -s "$status" ]; do
    sleep 0.01
    tries=$((tries + 1))
    if ((tries > 1500)); then
        echo "worker does not come up" >&2
        exit 1
    fi
done
wait "$pid"

read -r word value < "$status"
echo "worker is $word with $value"
