i=1
: > trips.txt
while [ $i -le 12 ]; do
  echo "$i $((i * 1200 + 77)) $((i % 3)) $((i * 5 % 11))" >> trips.txt
  i=$((i + 1))
done
head -c 192 /dev/zero > cars.dat
