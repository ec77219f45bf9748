mkdir -p clocks
i=1
while [ $i -le 40 ]; do
  : > clocks/t$i.log
  j=0
  while [ $j -lt $((i % 5 + 3)) ]; do echo "day $j drift $(((i * 7 + j * 3) % 21 - 10))"; j=$((j + 1)); done >> clocks/t$i.log
  i=$((i + 1))
done
