rm -f labels.txt
i=1
while [ $i -le 44 ]; do echo "tank$((i % 6));Species $i;$((18 + i % 9));$((i * 3 % 17 + 1))"; i=$((i + 1)); done > fish.csv
