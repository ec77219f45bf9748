i=1
while [ $i -le 30 ]; do
  mkdir -p branches/b$i
  printf 'rye %d\nwheat %d\nspelt %d\n' $((i * 3 % 17)) $((i * 5 % 23)) $((i % 4)) > branches/b$i/sold
  i=$((i + 1))
done
