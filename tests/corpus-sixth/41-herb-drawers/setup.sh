mkdir -p drawers
i=0
while [ $i -lt 70 ]; do echo "$((i * 11 % 90 + 5)) g" > drawers/Herb$((i * 7 % 100))-lot$i.txt; i=$((i + 1)); done
i=0
while [ $i -lt 120 ]; do echo "herb$((i * 3 % 100)) $((i % 4 + 1))"; i=$((i + 1)); done > orders.txt
