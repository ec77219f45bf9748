mkdir -p books
i=0
while [ $i -lt 72 ]; do
  echo "$((i * 5 % 24 + 1)) truck-$((100 + i)) $((i % 9 + 1))"
  i=$((i + 1))
done > arrivals.txt
i=1
while [ $i -le 24 ]; do echo "bay $i opened" > books/bay$i.log; i=$((i + 1)); done
