rm -rf cards; mkdir cards
i=1
while [ $i -le 48 ]; do
  [ $((i % 3)) -eq 0 ] && v0=rabies || v0=distemper
  echo "$((i % 6)),pet$i,$v0,2024-0$((i % 9 + 1))-11"
  i=$((i + 1))
done > visits.csv
