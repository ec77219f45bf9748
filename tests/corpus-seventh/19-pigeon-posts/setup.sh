mkdir -p loft
i=0
while [ $i -lt 40 ]; do
  printf 'to: post%d\nwind: %d\nAll well at the fort, %0*d sacks left.\n' $((i % 6)) $((i * 13 % 8)) $((1 + i % 5)) $((i * 3)) > loft/bird$i.msg
  i=$((i + 1))
done
