i=0
while [ $i -lt 400 ]; do echo "$i $((i * 37 % 211)) $((i * 11 % 97))"; i=$((i + 1)); done > gauges.txt
