mkdir -p rings
i=0
: > roll.txt
while [ $i -lt 40 ]; do
  echo ring$i >> roll.txt
  [ $((i % 11)) -eq 7 ] || printf 'colour: %s\nhatched: %d\n' $([ $((i % 3)) -eq 0 ] && echo red || echo blue) $((2010 + i * 7 % 9)) > rings/ring$i.card
  i=$((i + 1))
done
