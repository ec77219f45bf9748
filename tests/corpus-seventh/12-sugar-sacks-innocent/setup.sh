mkdir -p store
i=0
while [ $i -lt 45 ]; do
  printf "%0$((20 + i * 13 % 70))d" $i > store/sack$i.dat
  i=$((i + 1))
done
touch -d '2024-05-06 07:08:09 UTC' store/sack7.dat store/sack21.dat
