mkdir -p stops
i=10
while [ $i -lt 70 ]; do
  echo "line$((i % 5)) stops/s$i.txt"
  echo "passengers $((i * 13 % 37)) minutes $((i % 4 + 1))" > stops/s$i.txt
  i=$((i+1))
done > routes.txt
