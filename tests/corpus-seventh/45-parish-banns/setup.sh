mkdir board
i=1
: > couples.txt
while [ $i -le 18 ]; do
  echo "bride$i groom$((19 - i)) $((i % 4 + 1))" >> couples.txt
  i=$((i + 1))
done
