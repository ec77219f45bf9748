i=1
while [ $i -le 70 ]; do echo "bell$i $((i * 53 % 900 + 40)) $((i % 12))"; i=$((i + 1)); done > bells.txt
