i=10
while [ $i -lt 46 ]; do
  mkdir -p benches/bench-$i
  for t in lemon-1 lemon-2 orange-$((i % 7)) citron-$((i % 3)) label; do : > benches/bench-$i/$t.pot; done
  [ $((i % 4)) -eq 0 ] && : > benches/bench-$i/orange-9.pot
  i=$((i+1))
done
:
