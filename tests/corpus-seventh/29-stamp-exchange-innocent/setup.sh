mkdir swaps
i=1
: > offers.txt
while [ $i -le 15 ]; do
  echo "s$i blue$((i * 3 % 8)) red$((i * 5 % 7))" >> offers.txt
  i=$((i + 1))
done
