mkdir -p board
i=0
while [ $i -lt 150 ]; do
  echo "$((i % 90 + 1)) team$((i % 8)) player$((i * 7 % 23))"
  i=$((i + 1))
done > feed.txt
