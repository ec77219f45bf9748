rm -f summary.csv
i=1
while [ $i -le 60 ]; do echo "box$i;$((i * 7 % 9));$((i * 5 % 6))"; i=$((i + 1)); done > nests.csv
