mkdir -p lists
for g in oats rye spelt millet barley; do
  {
    printf 'granary list of %s, weights in stones, weighed by the steward at noon, season of plenty\n' $g
    i=1
    while [ $i -le 40 ]; do echo "$((i * 37 % 89)) bin$i"; i=$((i + 1)); done
  } > lists/$g.txt
done
