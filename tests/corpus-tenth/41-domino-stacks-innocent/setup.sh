rm -rf stacks; mkdir stacks
i=0
while [ $i -lt 24 ]; do
  i=$((i+1))
  n=$((i * 7 % 5 + 1))
  { j=0; while [ $j -lt $n ]; do j=$((j+1)); printf '%d-%d\n' $((i * j % 7)) $(((i + j) % 7)); done; } > "stacks/$(printf '%03d' $n)-s$i"
done
