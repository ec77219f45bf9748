mkdir -p bales
i=1
while [ $i -le 44 ]; do
  { printf 'BALE'; j=0; while [ $j -lt $((i * 3 % 40 + 6)) ]; do printf '%c' abcdefghij; j=$((j + 1)); done; printf '%d' $((i * 37)); } > bales/bale$i.bin
  i=$((i + 1))
done
