#!/usr/bin/env bash
# Changes the poems on the boards of a town: each board gets a new first verse, the last one goes.
set -euo pipefail

declare -A verse=()
while IFS=$'\t' read -r board text; do
    verse[$board]=$text
done < today.tsv

compose() {
    local board=$1
    local -a lines
    mapfile -t lines < "boards/$board.txt"
    if [[ -n ${verse[$board]:-} ]]; then
        lines=("${verse[$board]}" "${lines[@]:0:${#lines[@]}-1}")
    else
        lines=("${lines[@]:1}" "${lines[0]}")
    fi
    printf '%s\n' "${lines[@]}"
}

publish() {
    local board=$1
    compose "$board" > "boards/$board.new"
    sync "boards/$board.new"
    mv "boards/$board.new" "boards/$board.txt"
}

changed=0
for board in market harbour school park mill tower; do
    publish "$board"
    read -r first < "boards/$board.txt"
    echo "$board: $first"
    if [[ -n ${verse[$board]:-} ]]; then
        changed=$((changed + 1))
    fi
done
sync boards
echo "$changed new verses"
