mkdir -p lace
i=0
while [ $i -lt 48 ]; do
  echo "pairs=$((10 + i % 9)) pins=$((30 + i * 7 % 41)) ground=torchon$((i % 4))" > lace/pattern$i.lace
  i=$((i + 1))
done
