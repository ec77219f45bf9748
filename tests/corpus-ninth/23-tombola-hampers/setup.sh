i=1
while [ $i -le 80 ]; do
  case $((i % 4)) in 0) c=red;; 1) c=blue;; 2) c=green;; 3) c=white;; esac
  echo "$((1000 + i * 37 % 900)) $c holder-$i"
  i=$((i + 1))
done > tickets.txt
