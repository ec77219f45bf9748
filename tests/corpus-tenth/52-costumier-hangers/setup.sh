i=10
while [ $i -lt 70 ]; do
  mkdir -p racks/r$((i % 6))
  echo "costume $((i * 3 % 41)) size $((36 + i % 10 * 2))" > racks/r$((i % 6))/h$i.txt
  echo "racks/r$((i % 6))/h$i.txt"
  i=$((i+1))
done > hangers.txt
