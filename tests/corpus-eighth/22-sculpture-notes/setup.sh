rm -rf notes catalogue.csv; mkdir notes
i=1
while [ $i -le 28 ]; do
  p=$i; [ $i -gt 9 ] || p=0$i
  [ $((i % 4)) -eq 0 ] && v2=yes || v2=no
  [ $((i % 3)) -eq 0 ] && v0=marble || v0=granite
  printf 'title: Figure %d\nstone: %s\nweight: %d\nseen from the north side\nneeds cleaning: %s\n' $i $v0 $((i * 43 % 700 + 60)) $v2 > notes/n$p.txt
  i=$((i + 1))
done
