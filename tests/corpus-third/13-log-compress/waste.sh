#!/bin/bash
# Decide which logs are due; names carry the day number.
dir=$PWD/var/log
keep=90
due=()
total=0

day_of() {
    local n=${1##*/app-}
    REPLY=${n%.log}
}

for f in "$dir"/app-*.log; do
    [ -e "$f" ] || continue
    day_of "$f"
    total=$((total + 1))
    if (( REPLY <= 120 - keep )); then
        due+=("$f")
    fi
done

if (( ${#due[@]} )); then
    gzip -n -- "${due[@]}"
fi
echo "$total logs, ${#due[@]} compressed"
