rm -f picking.txt
i=1
while [ $i -le 80 ]; do
  echo "$((i % 7 + 1)) skein-$((i * 13 % 17)) $((i % 5 + 1))"
  i=$((i + 1))
done > orders.txt
