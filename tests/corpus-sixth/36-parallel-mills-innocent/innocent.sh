#!/bin/sh
# Adds up the flour of each mill, each in a process of its own; each process notes its result
# by one append when it is done.
set -eu

results=results.txt

grind() {
    sacks=0
    best=0
    while read -r n; do
        sacks=$((sacks + n))
        if [ "$n" -gt "$best" ]; then
            best=$n
        fi
    done < "$1"
    name=${1##*/}
    echo "${name%.txt} $sacks $best" >> "$results"
}

: > "$results"
started=0
for mill in mills/*.txt; do
    grind "$mill" &
    started=$((started + 1))
    if [ $((started % 4)) -eq 0 ]; then
        wait
    fi
done
wait

total=0
count=0
while read -r name sacks best; do
    total=$((total + sacks))
    count=$((count + 1))
done < "$results"
if [ "$count" -ne "$started" ]; then
    echo "only $count of $started results" >&2
    exit 1
fi
echo "$count mills, $total sacks"
sort -k 2,2nr -k 1,1 "$results" | head -n 3
