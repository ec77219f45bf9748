mkdir -p stations
i=1
while [ $i -le 64 ]; do
  if [ $((i % 3)) -eq 0 ]; then s=final; else s=draft; fi
  printf '%s;Harbour %d;%d.%d\n06:12;4.1\n18:40;4.4\n' $s $i $((i % 7 + 1)) $((i % 10)) > stations/st$i.txt
  i=$((i + 1))
done
