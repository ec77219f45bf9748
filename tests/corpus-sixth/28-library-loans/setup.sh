{
  printf '{"next": 61, "loans": {'
  i=1
  while [ $i -le 60 ]; do
    [ $i -eq 1 ] || printf ', '
    printf '"%d": {"reader": "reader%d", "book": "book %d", "days": %d}' $i $((i % 23)) $((i * 7)) $((i * 3 % 40))
    i=$((i + 1))
  done
  printf '}}'
} > loans.json
