#!/bin/sh
# Sums the owls that the volunteers counted in the nest boxes.
set -eu

eggs_all=0
chicks_all=0
empty=0
best=
best_chicks=-1

note_best() {
    if [ "$2" -gt "$best_chicks" ]; then
        best=$1
        best_chicks=$2
    fi
}

one_nest() {
    read -r eggs chicks < "$1/count"
}

seen=0
for nest in nests/*; do
    one_nest "$nest"
    seen=$((seen + 1))
    if [ "$eggs" -eq 0 ] && [ "$chicks" -eq 0 ]; then
        empty=$((empty + 1))
        continue
    fi
    eggs_all=$((eggs_all + eggs))
    chicks_all=$((chicks_all + chicks))
    note_best "${nest#nests/}" "$chicks"
done

echo "$seen nests, $empty empty"
echo "$eggs_all eggs, $chicks_all chicks"
echo "most chicks: $best with $best_chicks"
