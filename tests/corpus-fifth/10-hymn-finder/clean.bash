#!/bin/bash
# Puts together the booklet of the Sunday: each hymn from the first collection that has it.
set -eu

collections=(own parish diocese old)
declare -A where

# One listing of each collection, the first ones last so that they win.
index_collections() {
    local i f base
    shopt -s nullglob
    for ((i = ${#collections[@]} - 1; i >= 0; i--)); do
        for f in "${collections[i]}"/*.abc; do
            base=${f##*/}
            where[${base%.abc}]=$f
        done
    done
}

title_of() {
    local -a lines
    mapfile -t lines < "$1"
    local l
    for l in "${lines[@]}"; do
        [[ $l == T:* ]] && { title=${l#T:}; return; }
    done
    title='?'
}

index_collections
mapfile -t names < sunday.txt
missing=()
declare -A from
for name in "${names[@]}"; do
    found=${where[$name]:-}
    if [[ -n $found ]]; then
        title_of "$found"
        from[${found%%/*}]=$(( ${from[${found%%/*}]:-0} + 1 ))
        last="$title ($found)"
    else
        missing+=("$name")
    fi
done

for dir in "${collections[@]}"; do
    echo "$dir: ${from[$dir]:-0}"
done
echo "last: $last"
echo "missing: ${missing[*]}"
