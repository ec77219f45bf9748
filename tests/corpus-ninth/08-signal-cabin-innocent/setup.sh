i=1
while [ $i -le 12 ]; do
  echo "lever$i $((i % 2)) $((i * 40))"
  i=$((i + 1))
done > levers.txt
