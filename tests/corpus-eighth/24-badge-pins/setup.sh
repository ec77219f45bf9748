rm -rf pins; mkdir pins
i=1
while [ $i -le 30 ]; do
  p=$i; [ $i -gt 9 ] || p=0$i
  [ $((i % 2)) -eq 0 ] && v3=round || v3=shield
  case $((i % 3)) in 0) v0=red ;; 1) v0=blue ;; *) v0=gold ;; esac
  printf 'colour=%s\nshape=%s\nmillimetres=%d\n' $v0 $v3 $((i * 7 % 30 + 12)) > pins/p$p.txt
  i=$((i + 1))
done
