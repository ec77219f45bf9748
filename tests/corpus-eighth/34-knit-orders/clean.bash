#!/usr/bin/env bash
# Makes the picking list of a yarn shop: how many skeins from which shelf.
set -euo pipefail

work=$(mktemp "${TMPDIR:-/tmp}/knit-orders.XXXXXXXXXX")
trap 'rm -f "$work"' EXIT

declare -A shelf
while read -r _ yarn count; do
    if [[ -z ${shelf[$yarn]:-} ]]; then
        number=${yarn#skein-}
        shelf[$yarn]=C
        ((number < 12)) && shelf[$yarn]=B
        ((number < 6)) && shelf[$yarn]=A
    fi
    echo "${shelf[$yarn]} $yarn $count"
done < orders.txt > "$work"

total=0
last=
sum=0
{
    while read -r where yarn count; do
        if [[ "$where $yarn" != "$last" ]]; then
            [[ -n $last ]] && echo "$last $sum"
            last="$where $yarn"
            sum=0
        fi
        ((sum += count))
    done < <(sort "$work")
    echo "$last $sum"
} > picking.txt

while read -r _ _ count; do
    ((total += count))
done < picking.txt
head -n 3 picking.txt
echo "$(wc -l < picking.txt) yarns, $total skeins"
