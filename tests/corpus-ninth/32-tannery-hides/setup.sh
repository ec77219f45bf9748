mkdir -p hides
for kind in calf goat deer; do
  for n in 0 1 2 3 4 5 6 7; do
    printf 'tanned by %s\npiece 1.5 %d.25\npiece 2.0 %d.5\n' $kind $n $((n + 1)) > hides/$kind-$n.txt
  done
done
