i=1
while [ $i -le 30 ]; do echo "$((i * 40)) $((i % 7 + 1))"; i=$((i + 1)); done > firings.txt
