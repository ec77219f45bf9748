i=1
: > raw.txt
while [ $i -le 120 ]; do
  echo "$i $((i * 29 % 101))" >> raw.txt
  i=$((i + 1))
done
