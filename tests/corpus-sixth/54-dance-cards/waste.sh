#!/bin/sh
# Makes the dance cards of the season: who dances with whom, by dance.
set -eu

mkdir -p cards work

by_dance() {
    sort -n -k 1 "$1"
}

card() {
    # the dances of one evening in one line each
    last=
    line=
    while read -r dance who with; do
        if [ "$dance" != "$last" ]; then
            [ -z "$line" ] || echo "$line"
            line="dance $dance:"
            last=$dance
        fi
        line="$line $who+$with"
    done
    echo "$line"
}

total=0
for evening in evenings/*.txt; do
    name=${evening##*/}
    name=${name%.txt}
    by_dance "$evening" > "work/$name.sorted"
    by_dance "$evening" | card > "cards/$name.card"
    rows=0
    while read -r line; do
        rows=$((rows + 1))
    done < "cards/$name.card"
    echo "$name: $rows dances"
    total=$((total + rows))
done
rm -r work
echo "$total dances in the season"
