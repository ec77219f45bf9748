mkdir loft
i=0
while [ $i -lt 25 ]; do
  printf 'shelf %d\nboxes %d\nweight %d\n' $i $((i % 5 + 2)) $((i * 13 % 40)) > loft/shelf$i.txt
  i=$((i + 1))
done
