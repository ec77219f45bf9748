mkdir -p tiles
i=0
while [ $i -lt 90 ]; do
  [ $((i % 6)) = 5 ] || echo tile > tiles/$((i / 10))_$((i % 10)).png
  i=$((i + 1))
done
