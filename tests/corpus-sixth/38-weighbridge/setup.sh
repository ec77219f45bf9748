i=0
while [ $i -lt 32 ]; do echo "TRK$((i * 19 % 31)) $((12000 + i * 311 % 9000)) $((7000 + i * 53 % 1500))"; i=$((i + 1)); done > weighings.txt
