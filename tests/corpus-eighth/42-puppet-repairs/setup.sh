rm -rf puppets; mkdir puppets
i=1
while [ $i -le 32 ]; do
  d=puppets/case$((i % 8)); mkdir -p $d
  echo "part$((i % 5)) $((i * 3 % 7)) hours" > $d/p$i.txt
  i=$((i + 1))
done
