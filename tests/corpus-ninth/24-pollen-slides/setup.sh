mkdir -p slides
i=1
while [ $i -le 56 ]; do
  printf 'slide=%d\nsite=bog %d\ndepth=%d\nalder=%d\nbirch=%d\npine=%d\nheather=%d\nremarks=counted twice by the same eye\n' $i $((i % 4)) $((i * 12)) $((i * 7 % 50)) $((i * 11 % 60)) $((i * 5 % 90)) $((i * 3 % 40)) > slides/s$i.txt
  i=$((i + 1))
done
