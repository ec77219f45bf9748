#!/bin/sh
# Counts the verses sung in each season and finds the longest hymn.

set -eu

list=hymns.txt
out=seasons.txt
[ -r "$list" ] || { echo "no $list" >&2; exit 1; }

set -- $(awk '
    BEGIN { split("advent lent easter trinity", order, " ") }
    {
        hymns++
    }
    $2 !~ /^(advent|lent|easter|trinity)$/ { next }
    {
        sum[$2] += $3
        if ($3 > longest) {
            longest = $3
            which = $1
        }
    }
    END {
        for (i = 1; i <= 4; i++)
            print order[i], sum[order[i]] + 0 > out
        print hymns + 0, longest + 0, which + 0
    }
' out="$out" "$list")
hymns=$1 longest=$2 which=$3

echo "$hymns hymns on the board"
if [ "$longest" -gt 0 ]; then
    echo "longest: no. $which with $longest verses"
fi
echo "seasons in $out"
