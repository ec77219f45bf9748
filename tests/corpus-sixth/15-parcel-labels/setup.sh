i=1
while [ $i -le 96 ]; do
  echo "$i;$((i * 7 % 6));$((i * 31 % 200 + 1)) Mill Lane"
  i=$((i + 1))
done > orders.csv
