mkdir -p points
i=1
while [ $i -le 25 ]; do seq $((i * 3)) $((i * 3 + 300)) > points/p$i.txt; i=$((i + 1)); done
