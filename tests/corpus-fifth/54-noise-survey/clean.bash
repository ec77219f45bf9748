#!/bin/bash
# Noise survey of a town: the mean and the peak of each measuring point.
set -eu

loud=0
sum_all=0

measure() {
    local file=$1 n=0 sum=0 level levels
    peak=0
    mapfile -t levels < "$file"
    for level in "${levels[@]}"; do
        level=$((level * 37 % 95 + 5))
        sum=$((sum + level))
        ((level > peak)) && peak=$level
        n=$((n + 1))
    done
    mean=$((sum / n))
}

for i in {1..25}; do
    point=p$i
    measure "points/$point.txt"
    if ((mean > 52)); then
        loud=$((loud + 1))
        echo "$point: mean $mean dB, peak $peak dB, LOUD"
    else
        echo "$point: mean $mean dB, peak $peak dB"
    fi
    sum_all=$((sum_all + mean))
done
echo "loud points: $loud, mean of means $((sum_all / 25))"
