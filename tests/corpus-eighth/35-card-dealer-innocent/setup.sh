i=0
while [ $i -lt 52 ]; do
  n=$(( (i * 23 + 5) % 52 ))
  case $((n / 13)) in 0) s=clubs ;; 1) s=diamonds ;; 2) s=hearts ;; 3) s=spades ;; esac
  echo "$s $((n % 13 + 2))"
  i=$((i + 1))
done > deck.txt
