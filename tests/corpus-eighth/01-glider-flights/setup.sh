rm -rf flights; mkdir flights
i=1
while [ $i -le 28 ]; do
  p=$i; [ $i -gt 9 ] || p=0$i
  { echo "HPLTPILOT: P$((i % 5))"
    j=0
    while [ $j -lt 12 ]; do echo "B$((i * 100 + j)):$((300 + (i * 37 + j * 91) % 900))"; j=$((j + 1)); done
  } > flights/g$p.igc
  i=$((i + 1))
done
