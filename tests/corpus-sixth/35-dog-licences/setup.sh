mkdir -p photos
for n in 1 2 3 4 5 6; do
  printf 'P5 %d %d 255 ' $((n * 3)) $((n + 9)) > photos/tag$n.pgm
  printf 'tag%d:Owner %d:+31 6 %d\n' $n $n $((5550000 + n * 137))
done > owners.private
chmod 600 owners.private
