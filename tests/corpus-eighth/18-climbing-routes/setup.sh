rm -f guide.txt
i=1
while [ $i -le 120 ]; do echo "sector$((i % 7)) route$i $((i % 5 + 4)) $((i * 11 % 30 + 8))"; i=$((i + 1)); done > routes.txt
