#!/bin/bash
# Has the pages of the parish magazine prepared in the background, then counts the ink.
set -eu

prepare() {
    local word nr grams
    while read -r word nr grams; do
        sleep 0.03                      # the plate warms up
        echo "$nr $((grams * 3))"
    done < sheets.txt > plates.part
    mv plates.part plates.txt
}

imposition() {
    local n=$1 i
    local -a left=() right=()
    for ((i = 1; i <= n / 2; i++)); do
        left+=($((n - i + 1)))
        right+=("$i")
    done
    echo "order: ${left[*]} | ${right[*]}"
}

rm -f plates.txt
prepare &
plates=$!
imposition 12
wait "$plates"

ink=0
count=0
while read -r nr grams; do
    ink=$((ink + grams))
    count=$((count + 1))
done < plates.txt
echo "$count plates, $ink g of ink"
