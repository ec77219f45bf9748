printf 'till=4\nsecond=/dev/full\n' > till.ini
i=1
while [ $i -le 50 ]; do
  case $((i % 3)) in 0) s=bakery;; 1) s=chandler;; *) s=saddler;; esac
  echo "$i $s $((i * 97))"
  i=$((i + 1))
done > vouchers.txt
