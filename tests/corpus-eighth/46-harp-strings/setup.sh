rm -rf harps; mkdir harps
h=1
while [ $h -le 5 ]; do
  i=1; while [ $i -le 22 ]; do echo "string $i gut $((i * h % 9 + 3)) new"; i=$((i + 1)); done > harps/harp$h.txt
  h=$((h + 1))
done
printf '1 4\n3 17\n3 18\n5 2\n2 9\n' > broken.txt
