i=1
while [ $i -le 24 ]; do echo "phase$i $((i * 13 % 7 + 1))"; i=$((i + 1)); done > phases.txt
