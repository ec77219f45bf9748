i=1
while [ $i -le 20 ]; do echo "field$i $((i % 4)) $((i * 3 % 10 + 1))"; i=$((i + 1)); done > fields.txt
