mkdir -p cranes
i=1
while [ $i -le 20 ]; do
  mkdir -p cranes/crane$i
  printf 'load %d\nwheel %d\n' $((i * 13 % 47)) $((i % 4 + 2)) > cranes/crane$i/plate.txt
  : > cranes/note$i.txt
  : > cranes/old$i.bak
  i=$((i + 1))
done
