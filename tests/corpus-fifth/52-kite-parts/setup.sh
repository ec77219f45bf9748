i=1
while [ $i -le 70 ]; do echo "kits/kit$((i % 6))/./part$i.dxf $((i * 3 % 25 + 1))"; i=$((i + 1)); done > parts.txt
