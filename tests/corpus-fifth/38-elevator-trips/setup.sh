i=1
while [ $i -le 30 ]; do echo "$((i % 9)) $((i * 5 % 9)) $((i * 37 % 420 + 80))"; i=$((i + 1)); done > day.txt
