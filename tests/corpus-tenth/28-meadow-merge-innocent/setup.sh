mkdir -p fields
rm -f meadow.txt
f=1
while [ $f -le 12 ]; do
  i=0
  while [ $i -lt 50 ]; do echo "$(((i * 131 + f * 17) % 9973)) herb$((i % 19))"; i=$((i + 1)); done > fields/f$f.txt
  f=$((f + 1))
done
