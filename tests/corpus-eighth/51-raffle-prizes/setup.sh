rm -rf envelopes; mkdir envelopes
i=1
while [ $i -le 28 ]; do echo "$((i * 37 % 1000)) prize$((i * 5 % 28))"; i=$((i + 1)); done > draw.txt
