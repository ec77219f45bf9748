rm -rf /dev/shm/tenth-plates
i=10
while [ $i -lt 34 ]; do
  echo "sitter$i $((i % 5 + 3)) $((i % 4 + 2)) $((i * 37 % 256))"
  i=$((i+1))
done > sittings.txt
