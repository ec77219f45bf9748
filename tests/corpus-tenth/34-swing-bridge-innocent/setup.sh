i=0
while [ $i -lt 20 ]; do
  i=$((i+1))
  echo "ship$i $((i * 17 % 60 + 10)) $((i % 3))"
done > ships.txt
