#!/bin/sh
# Top addresses of the day, for the morning mail.
set -e
export LC_ALL=C
log=${1:-access.log}
count=${2:-3}
tmp=/tmp/report.$$
trap 'rm -f $tmp $tmp.sorted' EXIT

cut -d' ' -f1 "$log" > $tmp

sort $tmp > $tmp.sorted
lines=$(wc -l < $tmp.sorted)
uniq -c $tmp.sorted | sort -rn -k1,1 -k2,2 | head -n "$count" |
    awk '{ print $2, $1 }'
echo "of $lines"
