mkdir -p dies
i=1
while [ $i -le 54 ]; do
  printf 'P5 8 8 %d\n%s\n' $((i % 16)) "$(echo "town$i-abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz" | cut -c1-64)" > dies/d$i.die
  i=$((i + 1))
done
