i=1
while [ $i -le 80 ]; do
  echo "motif$i $((i % 6 + 2)) $((i % 4 + 3))"
  i=$((i + 1))
done > motifs.txt
