i=1
while [ $i -le 300 ]; do echo "term$((i * 37 % 301)) = phrase number $i"; i=$((i + 1)); done > phrases.txt
LC_ALL=C sort phrases.txt | sed 's/ = /	/' > phrases.idx
touch -d 2024-05-01 phrases.idx
c=1
while [ $c -le 6 ]; do
  i=1; while [ $i -le 12 ]; do echo "say term$((i * c * 11 % 320))"; i=$((i + 1)); done > chapter$c.txt
  c=$((c + 1))
done
