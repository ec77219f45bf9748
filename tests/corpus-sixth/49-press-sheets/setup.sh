i=1
while [ $i -le 12 ]; do echo "sheet $i $((i * 19 % 23))"; i=$((i + 1)); done > sheets.txt
