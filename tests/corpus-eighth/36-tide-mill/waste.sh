#!/bin/sh
# Works out when a tide mill can grind, from the head of water at each quarter of an hour.
set -eu

log=mill.log
: > "$log"

state=idle
ground=0
starts=0
flood=0

note() {
    echo "quarter $1: $2" >> "$log"
}

while read -r quarter head; do
    if [ "$head" -lt 0 ]; then
        next=gates
        flood=$((flood + 1))
    elif [ "$head" -lt 8 ]; then
        next=idle
    else
        next=grind
        ground=$((ground + head))
        if [ "$state" != grind ]; then
            starts=$((starts + 1))
        fi
    fi
    note "$quarter" "head $head dm, $state to $next"
    state=$next
done < heads.txt

sacks=$((ground / 25))
echo "sacks $sacks"
echo "starts $starts, gates open $flood quarters"
