mkdir -p bolts
i=100
while [ $i -lt 180 ]; do
  echo "$((i % 9 + 2)) $((i * 3))" > bolts/c$((i / 2))-$i.txt
  i=$((i+1))
done
i=50
while [ $i -lt 90 ]; do echo "c$i $((i % 5 + 1))"; i=$((i+1)); done > orders.txt
