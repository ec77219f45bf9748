rm -f ripening.log
i=1
while [ $i -le 56 ]; do echo "cheese$i $((i * 7 % 40)) $((i * 13 % 30 + 60))"; i=$((i + 1)); done > shelf.txt
