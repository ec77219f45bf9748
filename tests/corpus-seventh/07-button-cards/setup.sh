mkdir -p cards
i=0
while [ $i -lt 40 ]; do
  echo "button $i brass horn bone $((i * 37 % 11)) holes $((2 + i % 3))" > cards/card$i.txt
  i=$((i + 1))
done
