rm -rf wards; mkdir wards
w=0
while [ $w -lt 8 ]; do
  w=$((w+1))
  i=0; while [ $i -lt 25 ]; do i=$((i+1)); echo "ballot$((i * w * 7 % 101)) list$((i % 3))"; done > wards/ward$w.txt
done
