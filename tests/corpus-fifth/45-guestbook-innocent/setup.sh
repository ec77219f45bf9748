echo "# guest book of the lighthouse" > guests.txt
i=1
while [ $i -le 12 ]; do echo "visitor$i;town$((i % 5));$((i * 3 % 7 + 1)) persons"; i=$((i + 1)); done > today.csv
