i=0
while [ $i -lt 120 ]; do
  i=$((i+1))
  case $((i % 4)) in 0) k=coach;; 1) k=cart;; 2) k=rider;; 3) k=drover;; esac
  echo "$i,$k,$((i % 3 + 1))"
done > passages.csv
