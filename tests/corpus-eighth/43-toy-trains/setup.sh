rm -rf stock; mkdir stock
i=1
while [ $i -le 36 ]; do
  if [ $((i % 4)) -eq 0 ]; then w=N; else w=H0; fi; printf 'number %d\naxles %d\ngauge %s\nlength %d\n' $((1000 + i)) $((i % 3 * 2 + 2)) "${w}" $((i * 7 % 90 + 80)) > stock/wagon$i.txt
  i=$((i + 1))
done
