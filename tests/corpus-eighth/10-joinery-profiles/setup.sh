rm -rf bench custom oak standard; mkdir bench custom oak standard
i=1
while [ $i -le 38 ]; do
  p=$i; [ $i -gt 9 ] || p=0$i
  n=m$p
  case $((i % 12)) in 0) d=bench ;; 5) d=custom ;; 3|4) d=oak ;; *) d=standard ;; esac
  echo "$d $((i * 7 % 40 + 8)) $((i * 5 % 30 + 6))" > $d/$n.dxf
  echo "$n $((i % 5 + 1))"
  i=$((i + 1))
done > cutlist.txt
