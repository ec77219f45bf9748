rm -rf letters; mkdir letters
i=10
while [ $i -lt 50 ]; do
  [ $((i % 4)) -eq 0 ] && echo "Dear godchild of last year, thank you." > letters/godparent$i.txt
  echo "godparent$i child$((i % 13)) $((i % 3 + 6))"
  i=$((i+1))
done > pairs.txt
