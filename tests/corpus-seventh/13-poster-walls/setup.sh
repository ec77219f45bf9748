mkdir -p walls
i=0
while [ $i -lt 60 ]; do
  : > "walls/wall$((i % 7))-poster$i.$([ $((i % 4)) -eq 0 ] && echo torn || echo fine)"
  i=$((i + 1))
done
