mkdir wardrobe
i=1
while [ $i -le 50 ]; do
  echo "rack $((i % 6))" > wardrobe/costume$i-$((i % 3 + 36)).txt
  i=$((i + 1))
done
i=1
: > orders.txt
while [ $i -le 45 ]; do
  echo "guest$i costume$((i * 7 % 55 + 1))" >> orders.txt
  i=$((i + 1))
done
