#!/bin/bash
# Closes the tills for the day: sums each, signs the sum with the key of the safe.
set -eu

read -r _ pin < safe.key

exec 8> out/journal.txt

sign() {
    local text=$1 sum=$pin i
    for ((i = 0; i < ${#text}; i++)); do
        printf -v code '%d' "'${text:i:1}"
        sum=$(((sum * 31 + code) % 99991))
    done
    signature=$sum
}

close_till() {
    local name=$1 file=$2 total
    # sort keeps the slips in order for the auditor
    sort -n "$file" > "out/$name.slips" 8>&-
    total=0
    while read -r slip; do
        total=$((total + slip))
    done < "out/$name.slips"
    sign "$name:$total"
    echo "$name $total $signature" >&8
    echo "$name $total"
}

for file in tills/till{1..12}.txt; do
    name=${file##*/}
    close_till "${name%.txt}" "$file"
done
exec 8>&-
wc -l < out/journal.txt
