i=1
while [ $i -le 12 ]; do
  mkdir -p cabinet/drawer$i
  j=1
  while [ $j -le 14 ]; do
    : > cabinet/drawer$i/shell$((i * j)).note
    j=$((j + 1))
  done
  i=$((i + 1))
done
