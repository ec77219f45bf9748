i=1
while [ $i -le 120 ]; do
  echo "tree$i $((i * 17 % 45)) $((i * 5 % 9))"
  i=$((i + 1))
done > harvest.txt
