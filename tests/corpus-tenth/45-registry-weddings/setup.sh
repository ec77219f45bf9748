rm -rf weddings; mkdir weddings
i=0
while [ $i -lt 12 ]; do
  i=$((i+1))
  echo "Person$i,Partner$((40-i)),$((i % 28 + 1))"
done > banns.csv
