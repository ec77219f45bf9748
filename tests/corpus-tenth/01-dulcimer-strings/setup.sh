mkdir -p cards
i=1
while [ $i -le 45 ]; do
  [ $((i % 15)) = 0 ] || printf 'model D%d\ncourses %d\nper_course %d\ngauge 0.%02d\n' $i $((i % 4 + 12)) $((i % 3 + 2)) $((i % 20 + 8)) > cards/d$i.card
  echo d$i
  i=$((i + 1))
done > workshop.list
