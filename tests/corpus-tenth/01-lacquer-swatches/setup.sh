mkdir -p swatches
i=1
while [ $i -le 48 ]; do
  printf 'colour=tone%02d\ncoats=%d\ngrams=%d\nfinish=%s\n' $i $((i % 5 + 1)) $((i * 3 % 41 + 7)) $([ $((i % 3)) = 0 ] && echo matt || echo gloss) > swatches/s$i.swt
  echo s$i
  i=$((i + 1))
done > order.txt
