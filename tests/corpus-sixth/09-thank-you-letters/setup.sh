i=1
while [ $i -le 90 ]; do
  echo "donor$i;$((i * 37 % 400 + 5));$((i % 3))"
  i=$((i + 1))
done > gifts.csv
