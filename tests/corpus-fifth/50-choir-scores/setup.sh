mkdir -p scores
i=1
while [ $i -le 50 ]; do { echo "title Song $i"; seq $i $((i + 60)); } > scores/s$i.txt; i=$((i + 1)); done
