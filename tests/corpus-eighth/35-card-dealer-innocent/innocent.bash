#!/usr/bin/env bash
# Deals a deck to four players, each a process of its own that draws from the same open deck.
set -euo pipefail

player='
name=$1
cards=0
points=0
while [ "$cards" -lt 5 ] && read -r suit value <&7; do
    cards=$((cards + 1))
    points=$((points + value))
    if [ "$suit" = hearts ]; then
        points=$((points + 1))
    fi
done
echo "$name $points"
'

exec 7< deck.txt
declare -A score=()

for round in 1 2; do
    for name in ada ben cleo dan; do
        read -r _ points < <(sh -c "$player" player "$name")
        score[$name]=$((${score[$name]:-0} + points))
    done
    echo "round $round dealt"
done

left=0
while read -r _ _ <&7; do
    left=$((left + 1))
done
exec 7<&-

for name in ada ben cleo dan; do
    echo "$name: ${score[$name]} points"
done
echo "$left cards left in the deck"
