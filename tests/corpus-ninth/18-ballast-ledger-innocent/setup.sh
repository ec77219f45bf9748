i=1
while [ $i -le 20 ]; do
  echo "brig$((i % 4)) $( [ $((i % 3)) = 0 ] && echo out || echo in ) $((i * 17 % 90 + 10))"
  i=$((i + 1))
done > quayside.txt
: > ledger.log
