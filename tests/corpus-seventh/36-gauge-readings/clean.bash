#!/bin/bash
# Splits the gauge readings at the flood mark.
set -eu

mark=50
highs=0
lows=0
peak=0
last=none

rm -f high.txt low.txt
exec {high}>>high.txt {low}>>low.txt

while read -r minute level; do
    if (( level >= mark )); then
        over=$(( level - mark ))
        printf '%03d %d over by %d\n' "$minute" "$level" "$over" >&"$high"
        highs=$(( highs + 1 ))
    else
        printf '%03d %d\n' "$minute" "$level" >&"$low"
        lows=$(( lows + 1 ))
    fi
    if (( level > peak )); then
        peak=$level
        last=$minute
    fi
done < raw.txt

exec {high}>&- {low}>&-
printf 'high %d, low %d, peak %d at minute %d\n' "$highs" "$lows" "$peak" "$last"
read -r first < high.txt
printf 'first high: %s\n' "$first"
