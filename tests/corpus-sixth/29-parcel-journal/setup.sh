i=0
while [ $i -lt 72 ]; do
  if [ $((i % 8)) -eq 3 ]; then dest=X$((i % 5)); else dest=CHUTE$((i % 12)); fi
  echo "P$((100000 + i * 37)) $dest $((200 + i * 13 % 900))"
  i=$((i + 1))
done > scans.txt
