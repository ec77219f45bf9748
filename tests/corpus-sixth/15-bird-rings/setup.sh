i=1
while [ $i -le 105 ]; do
  case $((i % 3)) in 0) s=wren ;; 1) s=robin ;; 2) s=finch ;; esac
  echo "H$((1000 + i)) st$((i % 5)) $s $((i * 3 % 40 + 8))"
  i=$((i + 1))
done > ringing.txt
