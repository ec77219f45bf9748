mkdir -p shrines
i=1
while [ $i -le 30 ]; do
  j=0
  while [ $j -lt $((i % 5 + 3)) ]; do echo "saint$((i * 3 + j * 7)) $((j * 9 + i % 8)) $([ $(((i + j) % 3)) = 0 ] && echo lime || echo oak)"; j=$((j + 1)); done > shrines/way$i.list
  i=$((i + 1))
done
