#!/bin/bash
# Merges the translators' word lists; a sorted copy of each is kept.
set -eu
shopt -s nullglob

rebuilt=0
kept=0
words=0
declare -A seen=()

refresh() {
    local source=$1 list=$2
    local -a lines
    mapfile -t lines < "$source"
    local line
    for line in "${lines[@]}"; do
        printf '%s\n' "$line"
    done | sort > "$list.part"
    mv "$list.part" "$list"
}

for source in source/*.txt; do
    name=${source##*/}
    list=cache/${name%.txt}.sorted
    if [[ "$source" -nt "$list" ]]; then
        refresh "$source" "$list"
        rebuilt=$(( rebuilt + 1 ))
    else
        kept=$(( kept + 1 ))
    fi
    while read -r word number; do
        seen[$word]=$(( ${seen[$word]:-0} + number ))
        words=$(( words + 1 ))
    done < "$list"
done

printf '%d lists rebuilt, %d as they were, %d words\n' "$rebuilt" "$kept" "$words"
for word in bread cheese hello road; do
    printf '%s %d\n' "$word" "${seen[$word]:-0}"
done
