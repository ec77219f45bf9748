i=1
while [ $i -le 8 ]; do echo "ticket$i $((i * 7 % 30 + 5))"; i=$((i + 1)); done > tickets.txt
echo "0123456789abcdef" > signing.key
