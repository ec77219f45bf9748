rm -rf notes; mkdir notes
i=1
while [ $i -le 34 ]; do
  p=$i; [ $i -gt 9 ] || p=0$i
  [ $((i % 3)) -eq 0 ] && v2=silver || v2=copper
  [ $((i % 2)) -eq 0 ] && v0=Prague || v0=Kutna
  printf 'mint: %s\nyear: %d\nmetal: %s\nworn edge, bought at the fair\n' $v0 $((1540 + i * 5)) $v2 > notes/coin$p.txt
  i=$((i + 1))
done
