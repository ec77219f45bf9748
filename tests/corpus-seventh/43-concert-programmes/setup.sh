mkdir programmes
i=1
while [ $i -le 32 ]; do
  printf 'hall: %d\ncomposer: c%d\nminutes: %d\n' $((i % 3)) $((i % 8)) $((i * 9 % 50 + 30)) > programmes/evening$i.txt
  i=$((i + 1))
done
