echo "ledger of the lifeboat station" > ledger.txt
i=0
while [ $i -lt 12 ]; do
  i=$((i+1))
  echo "$((i % 28 + 1)) $((i * 5 % 9 + 1)) wind$((i % 10))"
done > calls.txt
