rm -rf lists; mkdir lists
i=1
while [ $i -le 24 ]; do
  p=$i; [ $i -gt 9 ] || p=0$i
  n=$p
  echo "opened for stall $n" > lists/stall$n.txt
  echo "stall$n $((i * 19 % 70 + 5)) $((i % 4))"
  i=$((i + 1))
done > today.txt
