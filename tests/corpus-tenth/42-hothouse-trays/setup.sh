i=0
while [ $i -lt 40 ]; do
  i=$((i+1))
  h=house-$((i % 8))
  mkdir -p $h/bench
  echo "$((15 + i % 9)) $((i * 3 % 20)) fern$((i % 4))" > $h/bench/tray-$i.txt
  echo "$h/bench/tray-$i.txt"
done > trays.txt
