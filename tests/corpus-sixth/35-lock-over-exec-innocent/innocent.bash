#!/bin/bash
# Sorts the mail bags. The spool's lock is held on descriptor 9 and handed on to the background
# sorters on purpose: the spool stays locked until the last of them is done, even if this
# script is killed.
set -eu

spool=spool
pids=()

lock_spool() {
    exec 9> "$spool/.lock"
    flock -n 9 || {
        echo "another run is sorting" >&2
        exit 1
    }
}

sort_bag() {
    local bag=$1
    sort -n -k 1,1 -k 3,3 "$bag" > "${bag%.txt}.sorted" &
    pids+=($!)
}

wait_all() {
    local pid
    for pid in "${pids[@]}"; do
        wait "$pid"
    done
}

lock_spool
for bag in "$spool"/bag*.txt; do
    sort_bag "$bag"
done
wait_all

total=0
for sorted in "$spool"/bag*.sorted; do
    mapfile -t letters < "$sorted"
    echo "${sorted##*/}: ${#letters[@]} letters, first ${letters[0]}"
    total=$((total + ${#letters[@]}))
done
echo "$total letters"
