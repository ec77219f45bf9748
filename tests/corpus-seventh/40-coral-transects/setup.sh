i=0
: > reef.bin
while [ $i -lt 40 ]; do
  printf '%064d' $((i * 7919 % 99991)) >> reef.bin
  i=$((i + 1))
done
