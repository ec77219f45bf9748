i=0
while [ $i -lt 16 ]; do
  i=$((i+1))
  echo "$((1000 + i * 3)) $((i % 4))"
done > vehicles.txt
: > meter.dat
