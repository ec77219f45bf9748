mkdir recipes .cache
i=1
while [ $i -le 22 ]; do
  printf 'flour %d\nbutter %d\nsugar %d\n' $((i * 20)) $((i * 7 % 50)) $((i * 3 % 30)) > recipes/r$i.txt
  printf '{"mtime":1709287200500,"kcal":%d}\n' $((i * 20 * 364 / 100 + (i * 7 % 50) * 717 / 100 + (i * 3 % 30) * 4)) > .cache/r$i.json
  i=$((i + 1))
done
touch -d '2024-03-01 10:00:00.500123 UTC' recipes/*
