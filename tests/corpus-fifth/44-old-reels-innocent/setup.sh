mkdir -p takes
i=1
while [ $i -le 60 ]; do
  seq 1 $((i * 7 % 23)) > takes/take$i.aif
  [ $((i % 3)) = 0 ] && touch -d "2003-05-0$((i % 9 + 1)) 12:00:00" takes/take$i.aif
  i=$((i + 1))
done
exit 0
