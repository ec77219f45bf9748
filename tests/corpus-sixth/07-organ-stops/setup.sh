mkdir -p stops
i=1
while [ $i -le 56 ]; do
  printf 'pipe=%d\nfeet=%d\nwind=%d\nnote=rank %d of the organ\n' $((i * 11 % 73)) $((i % 4 * 4 + 4)) $((60 + i)) $i > stops/stop$i.def
  i=$((i + 1))
done
