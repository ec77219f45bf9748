rm -rf squares; mkdir squares
i=1
while [ $i -le 30 ]; do
  p=$i; [ $i -gt 9 ] || p=0$i
  { echo "square $i"; j=0; while [ $j -lt 6 ]; do echo "$((i * j % 4))$((j % 4))$(((i + j) % 4))$((i % 4))$((j * 3 % 4))"; j=$((j + 1)); done; } > squares/q$p.txt
  i=$((i + 1))
done
