mkdir -p pens
echo 'drains' > pens/north.closed
i=1
while [ $i -le 80 ]; do
  case $((i % 4)) in 0) k=goat;; 1) k=alpaca;; 2) k=goose;; *) k=donkey;; esac
  echo "A$i,$k,$((i % 9 + 3))"
  i=$((i + 1))
done > arrivals.csv
