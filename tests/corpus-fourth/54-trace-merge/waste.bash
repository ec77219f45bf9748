#!/bin/bash
# Counts the trace points of nine days that fall into the odd channels.
odd=0
for day in 1 2 3 4 5 6 7 8 9; do
    seq "$day" 7 28000 > day$day.tmp
    n=$(seq "$day" 7 28000 | grep -c '[13579]$')
    odd=$(( odd + n ))
done
rm day?.tmp
echo "9 days, $odd points"
