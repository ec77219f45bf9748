#!/bin/bash
# Writes the ringing order of each bell tower to its own sheet.
set -eu

rounds() {
    local bells=$1 row b
    row=
    for ((b = 1; b <= bells; b++)); do row+=" $b"; done
    echo "rounds:$row"
}

plain_hunt() {
    local bells=$1 lead place out
    for ((lead = 1; lead <= bells; lead++)); do
        out=
        for ((place = 0; place < bells; place++)); do
            out+=" $(((lead + place * 2) % bells + 1))"
        done
        echo "lead $lead:$out"
    done
}

to_sheet() {
    exec {console}>&1
    exec > "$1"
}

to_console() {
    exec >&"$console" {console}>&-
}

mkdir -p sheets
count=0
rows=0
while read -r tower bells minutes; do
    to_sheet "sheets/$tower.txt"
    echo "$tower, $bells bells, $minutes minutes"
    rounds "$bells"
    plain_hunt "$bells"
    to_console
    count=$((count + 1))
    rows=$((rows + bells + 2))
done < towers.txt
echo "$count sheets, $rows rows"
mapfile -t sheet < sheets/tower7.txt
echo "${#sheet[@]} rows for tower7, first: ${sheet[0]}"
