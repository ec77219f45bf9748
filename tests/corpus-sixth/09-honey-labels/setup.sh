i=1
while [ $i -le 110 ]; do
  case $((i % 3)) in 0) k=linden ;; 1) k=clover ;; 2) k=forest ;; esac
  echo "$i $k $((i % 4 * 125 + 250))"
  i=$((i + 1))
done > jars.txt
