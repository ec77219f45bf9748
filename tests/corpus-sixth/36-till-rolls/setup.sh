i=0
while [ $i -lt 150 ]; do
  echo "$((i % 6 + 1)) $((i * 37 % 900 + 50)) item$((i % 23))"
  i=$((i + 1))
done > sales.txt
