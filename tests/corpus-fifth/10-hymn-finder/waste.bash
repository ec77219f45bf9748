#!/bin/bash
# Puts together the booklet of the Sunday: each hymn from the first collection that has it.
set -eu

collections=(own parish diocese old)

find_hymn() {
    local name=$1 dir
    for dir in "${collections[@]}"; do
        if [[ -f $dir/$name.abc ]]; then
            found=$dir/$name.abc
            return 0
        fi
    done
    return 1
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

mapfile -t names < sunday.txt
missing=()
declare -A from
for name in "${names[@]}"; do
    if find_hymn "$name"; then
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
