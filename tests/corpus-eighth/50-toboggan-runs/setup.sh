rm -f runs.*.log
i=1
while [ $i -le 90 ]; do echo "sled$((i % 9)) $((i * 7 % 23 + 40)).$((i % 10))"; i=$((i + 1)); done > times.txt
