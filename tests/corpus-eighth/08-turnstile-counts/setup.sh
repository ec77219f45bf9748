rm -rf gates; mkdir gates
i=1
while [ $i -le 25 ]; do
  p=$i; [ $i -gt 9 ] || p=0$i
  echo "$((i * 17 % 60)) $((i * 23 % 70)) $((i * 29 % 80)) $((i * 31 % 90))" > gates/g$p
  i=$((i + 1))
done
