mkdir -p scores
i=1
while [ $i -le 12 ]; do
  j=0
  while [ $j -lt $((i + 6)) ]; do
    echo "$(((j * 37 + i * 11) % 97)) player$j"
    j=$((j + 1))
  done > scores/game$i.txt
  i=$((i + 1))
done
