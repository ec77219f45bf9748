i=0
while [ $i -lt 30 ]; do echo $((i * 13 % 101)); i=$((i + 1)); done > seeds.txt
