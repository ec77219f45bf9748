#!/bin/sh
# Merges the rosters of the three gates into one, sorted by hour, and counts the shifts of each guard.
set -eu

dir=$(mktemp -d "${TMPDIR:-/tmp}/roster.XXXXXXXXXX")
tmp=$dir/r
trap 'rm -rf "$dir"' EXIT

gather() {
    awk '{ printf "%03d %-5s %s\n", $1, $2, $3 }' north.roster south.roster west.roster
}

shifts() {
    awk '{ n[$3]++ } END { for (g in n) print g ": " n[g] " shifts" }' "$1" | sort
}

# a guard cannot stand at two gates in the same hour
conflicts() {
    awk '
        { key = $1 " " $3 }
        key in gate && gate[key] != $2 { n++ }
        { gate[key] = $2 }
        END { print n + 0 " conflicts" }' "$1"
}

gather > "$tmp.all"
sort "$tmp.all" > "$tmp.sorted"

head -n 3 "$tmp.sorted"
tail -n 1 "$tmp.sorted"
shifts "$tmp.sorted"
conflicts "$tmp.sorted"
cp "$tmp.sorted" merged.roster
