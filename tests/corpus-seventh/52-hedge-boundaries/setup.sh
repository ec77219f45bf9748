mkdir hedges
i=1
while [ $i -le 60 ]; do
  echo "$((i * 17 % 43 + 3)) $((i % 5))" > hedges/h$i
  i=$((i + 1))
done
