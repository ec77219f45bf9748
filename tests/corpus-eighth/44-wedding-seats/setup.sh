rm -rf cards; mkdir cards
i=1
while [ $i -le 50 ]; do
  case $((i % 4)) in 0) a=no ;; 3) a=maybe ;; *) a=yes ;; esac
  echo "guest$i $a $((i % 7 + 1))"
  [ $((i % 3)) -ne 1 ] && echo "guest$i at table $((i % 5))" > cards/guest$i.txt
  i=$((i + 1))
done > answers.txt
