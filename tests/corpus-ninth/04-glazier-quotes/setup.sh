i=1
while [ $i -le 12 ]; do
  j=1
  while [ $j -le 7 ]; do
    echo "house$i,$((j * 20 + i)),$((j * 15 + 30)),$((j % 3))"
    j=$((j + 1))
  done
  i=$((i + 1))
done > panes.csv
