i=1
while [ $i -le 24 ]; do
  echo "bed$i $((i * 7 % 19 + 3)) $((i * 5 % 11 + 2))"
  i=$((i + 1))
done > beds.txt
