i=0
while [ $i -lt 150 ]; do echo "$((i % 24)) $((i * 29 % 41 - 8)) $((i * 11 % 60))"; i=$((i + 1)); done > station.txt
