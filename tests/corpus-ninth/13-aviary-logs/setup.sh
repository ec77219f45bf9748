mkdir -p cages
i=1
while [ $i -le 42 ]; do
  printf '2024-05-01 %d %d\n2024-05-02 %d %d\n2024-05-03 %d %d\n' $((i % 5)) $((i * 3 % 40)) $((i % 4)) $((i * 5 % 40)) $((i % 3)) $((i * 7 % 40)) > cages/cage$i.log
  i=$((i + 1))
done
