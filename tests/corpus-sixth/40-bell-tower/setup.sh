i=0
while [ $i -lt 36 ]; do echo "tower$i $((i % 5 + 3)) $((i * 17 % 60 + 10))"; i=$((i + 1)); done > towers.txt
