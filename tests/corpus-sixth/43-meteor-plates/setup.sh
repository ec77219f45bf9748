mkdir -p plates
i=1
while [ $i -le 48 ]; do
  printf 'PLATE %d\n' $i > plates/m$i.dat
  j=0; while [ $j -lt $((i % 6)) ]; do echo "trail $((i * j % 90)) $((i + j * 7)) $((j + 1))" >> plates/m$i.dat; j=$((j + 1)); done
  i=$((i + 1))
done
