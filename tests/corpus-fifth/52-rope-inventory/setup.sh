mkdir -p ropes
i=1
while [ $i -le 80 ]; do echo "ropes/box$((i % 9))/rope$i.txt $((i * 11 % 60 + 10))"; i=$((i + 1)); done > inventory.txt
