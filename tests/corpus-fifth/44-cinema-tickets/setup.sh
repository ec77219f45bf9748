mkdir -p holds
i=1
while [ $i -le 100 ]; do
  [ $((i % 5)) = 0 ] || echo "seat $i" > holds/seat$i.hold
  echo "seat$i $((i * 7 % 30))"
  i=$((i + 1))
done > sales.txt
