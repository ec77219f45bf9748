mkdir -p orders
i=0
while [ $i -lt 40 ]; do
  i=$((i+1))
  printf 'halyard %d\nshackle %d\nblock %d\n' $((i % 5)) $((i % 3 + 1)) $((i % 2)) > orders/o$i.txt
done
