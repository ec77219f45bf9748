mkdir -p logs
i=10
while [ $i -lt 50 ]; do
  printf 'ship %d\nlat %d lon %d\nwhales %d barrels %d\n' $i $((i % 60)) $((i * 7 % 180)) $((i % 4)) $((i % 4 * 31)) > logs/day$i.log
  i=$((i+1))
done
