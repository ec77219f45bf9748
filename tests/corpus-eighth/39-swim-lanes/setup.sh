rm -rf lanes; mkdir lanes
l=1
while [ $l -le 8 ]; do
  i=1; while [ $i -le 12 ]; do echo "swimmer$((l * 12 + i)) $((60 + (i * l * 7) % 50))"; i=$((i + 1)); done > lanes/lane$l.txt
  l=$((l + 1))
done
printf 'swimmer20 58\nswimmer33 71\nswimmer77 66\n' > results.txt
