mkdir -p stamps
i=1
while [ $i -le 60 ]; do
  printf 'year %d\nface %d\nmotif bird no %d\nprinted %d\n' $((1850 + i * 3 % 160)) $((i * 5 % 95 + 1)) $((i % 17)) $((i * 1777)) > stamps/$i.stamp
  i=$((i + 1))
done
