mkdir -p sheets
echo "k7" > till.key
i=10
while [ $i -lt 25 ]; do
  printf 'pump %d litres %d\npump %d litres %d\n' $((i % 3)) $((i * 7)) $((i % 2)) $((i * 5)) > sheets/day-$i.txt
  i=$((i+1))
done
