mkdir -p reeds
i=1
while [ $i -le 64 ]; do
  printf 'note %d\ncents %d\nalloy steel\nlength %d.%d\n' $((i + 35)) $((i * 7 % 13 - 6)) $((60 - i % 40)) $((i % 10)) > reeds/$(printf 'r%02d' $i).txt
  i=$((i + 1))
done
