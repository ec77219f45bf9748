#!/bin/bash
# Who has most night shifts?
declare -A nights
for day in roster/day*; do
    exec {fd}< "$day"
    while read -r -u "$fd" shift name; do
        [[ $shift == night ]] && (( nights[$name]++ ))
    done
    exec {fd}<&-
done
for name in "${!nights[@]}"; do
    echo "$name ${nights[$name]}"
done | sort -k2nr -k1 | head -n 3
