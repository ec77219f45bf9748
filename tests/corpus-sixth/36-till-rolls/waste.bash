#!/bin/bash
# Turns the day's sales into the numbered roll of the tills.
set -eu

roll=roll.txt
declare -A sum=()
nr=0

money() {
    printf -v "$1" '%d.%02d' $(($2 / 100)) $(($2 % 100))
}

print_line() {
    printf '%s\n' "$*" >> "$roll"
}

rm -f "$roll"
while read -r till cents item; do
    nr=$((nr + 1))
    money price "$cents"
    printf -v text '%05d till %d %-8s %8s' "$nr" "$till" "$item" "$price"
    print_line "$text"
    sum[$till]=$((${sum[$till]:-0} + cents))
done < sales.txt

for till in 1 2 3 4 5 6; do
    money total "${sum[$till]}"
    print_line "total till $till: $total"
    echo "till $till $total"
done
mapfile -t lines < "$roll"
echo "${#lines[@]} lines on the roll, last: ${lines[-1]}"
