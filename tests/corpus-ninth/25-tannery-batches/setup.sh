mkdir -p batches
i=1
while [ $i -le 40 ]; do
  printf 'hides %d\nbark oak\ndays %d\nvat %d\n' $((i * 3 % 50 + 10)) $((i % 9 * 10 + 60)) $((i % 8)) > batches/b$i.txt
  i=$((i + 1))
done
