mkdir vouchers
i=1
: > expired.txt
while [ $i -le 50 ]; do
  echo "v$i $((i * 3 % 20 + 5))" >> expired.txt
  [ $((i % 10)) -ge 3 ] && echo "value $((i * 3 % 20 + 5))" > vouchers/v$i
  i=$((i + 1))
done
: > vouchers/valid1
