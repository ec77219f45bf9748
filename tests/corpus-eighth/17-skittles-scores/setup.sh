rm -f table.txt
i=1
while [ $i -le 48 ]; do echo "team$((i % 6)) $((i * 7 % 10)) $((i * 3 % 10)) $((i % 10))"; i=$((i + 1)); done > scores.txt
