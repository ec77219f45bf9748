rm -rf claims; mkdir claims
i=1
while [ $i -le 30 ]; do echo "plot$i $((i * 17 % 60 + 20))"; i=$((i + 1)); done > plots.txt
