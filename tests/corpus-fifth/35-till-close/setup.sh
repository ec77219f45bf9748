echo "pin-of-the-safe 4711" > safe.key
mkdir -p tills out
i=1
while [ $i -le 12 ]; do seq $((i * 3)) $((i * 3 + 20)) > tills/till$i.txt; i=$((i + 1)); done
