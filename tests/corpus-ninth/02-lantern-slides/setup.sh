mkdir -p collection mounts/brass
printf 'oil 4\nlime 60\narc 200\n' > lamps.tbl
i=1
while [ $i -le 75 ]; do
  echo "slide$i $((i * 7 % 40 + 20)) $((i * 11 % 30 + 20))"
  i=$((i + 1))
done > show.txt
