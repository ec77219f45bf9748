i=0
while [ $i -lt 40 ]; do echo "guest$i room$((i * 3 % 17))"; i=$((i + 1)); done > guests.txt
