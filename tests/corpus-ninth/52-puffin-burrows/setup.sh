mkdir -p cliff/east cliff/west
i=0
while [ $i -lt 48 ]; do
  side=east; [ $((i % 2)) = 1 ] && side=west
  f=cliff/$side/b$i
  printf 'depth %d\nfish %d\n' $i $((i % 6)) > $f
  [ $((i % 3)) = 0 ] && echo 'chick grey' >> $f
  echo $f
  i=$((i + 1))
done > round.txt
