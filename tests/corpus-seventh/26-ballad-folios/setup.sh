mkdir -p folios shop
i=0
while [ $i -lt 12 ]; do
  awk -v s=$i 'BEGIN { for (j = 0; j < 4000; j++) printf "folio %02d line %05d of the ballad\n", s, j }' > folios/f$i.txt
  i=$((i + 1))
done
printf 'f0\nf1\nf2\nf3\nf4\nf5\nf6\nf7\nf8\nf9\nf10\nf11\n' > order.txt
