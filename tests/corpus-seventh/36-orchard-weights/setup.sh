i=1
: > crates.txt
while [ $i -le 90 ]; do
  echo "row$((i % 9)) $((i * 17 % 23 + 8))" >> crates.txt
  i=$((i + 1))
done
