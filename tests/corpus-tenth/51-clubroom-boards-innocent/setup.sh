rm -rf boards
i=10
while [ $i -lt 30 ]; do
  echo "crew$i;$((i % 8 + 1));boat$((i * 3 % 11))"
  i=$((i+1))
done > crews.csv
