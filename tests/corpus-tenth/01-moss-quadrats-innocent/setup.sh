mkdir -p quad
i=100
while [ $i -lt 160 ]; do
  printf 'quadrat %d\nbryum %02d\nhypnum %02d\npolytrichum %02d\n' $i $((i % 17)) $((i % 23)) $((i % 11)) > quad/q$i.txt
  echo "q$i.txt 46 1700000000 $((i % 17 + i % 23 + i % 11))"
  i=$((i + 1))
done > index.tsv
touch -d @1700000000 quad/*.txt
for i in 107 113 128 131 144 159; do
  printf 'quadrat %d\nbryum %02d\nhypnum %02d\npolytrichum %02d\nsphagnum 5\n' $i 3 4 5 > quad/q$i.txt
  touch -d @1700086400 quad/q$i.txt
done
