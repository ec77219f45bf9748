mkdir -p cards
i=1
while [ $i -le 64 ]; do
  printf 'title: Dish %d\nserves: %d\nminutes: %d\nflour: %d g\nbutter: %d g\n' $i $((i % 6 + 1)) $((i * 7 % 90 + 10)) $((i * 13 % 500)) $((i * 5 % 200)) > cards/$i.rcp
  i=$((i + 1))
done
