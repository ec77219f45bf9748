rm -rf maps; mkdir maps
i=1
while [ $i -le 160 ]; do echo "$((i % 10 + 1)) $((i * 7 % 20)) $((i * 11 % 12)) $((i * 3 % 9))"; i=$((i + 1)); done > traps.txt
