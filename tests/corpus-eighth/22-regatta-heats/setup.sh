rm -rf heats; mkdir heats
i=1
while [ $i -le 24 ]; do
  p=$i; [ $i -gt 9 ] || p=0$i
  j=0
  while [ $j -lt $((4 + i % 4)) ]; do echo "boat$j $((240 + (i * 31 + j * 17) % 60)) club$(( (i + j) % 5 ))"; j=$((j + 1)); done > heats/heat$p.txt
  i=$((i + 1))
done
