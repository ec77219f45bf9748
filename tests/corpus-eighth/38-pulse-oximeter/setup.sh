rm -f night.txt
i=1
while [ $i -le 480 ]; do echo "$((90 + i * 7 % 10)) $((55 + i * 13 % 31))"; i=$((i + 1)); done > samples.txt
