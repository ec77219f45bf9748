mkdir -p sweeps
i=10
while [ $i -lt 40 ]; do
  printf 'bearing %d\nmarks %d\n%s\n' $((i * 9)) $((i % 6)) "$(echo .......#...#....#..#......# | cut -c1-$((i % 20 + 5)))" > sweeps/s$i.log
  i=$((i+1))
done
