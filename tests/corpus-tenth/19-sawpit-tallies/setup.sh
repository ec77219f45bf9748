mkdir -p planks
i=0
while [ $i -lt 50 ]; do
  j=0
  while [ $j -lt $((i % 4 + 2)) ]; do echo "elm $((j * 3 + i % 11)) x $((i % 5 + 6))"; j=$((j + 1)); done > planks/$i.t
  i=$((i + 1))
done
