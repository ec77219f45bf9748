rm -rf own club region national; mkdir own club region national
i=1
while [ $i -le 40 ]; do
  p=$i; [ $i -gt 9 ] || p=0$i
  n=p$p
  case $((i % 10)) in 0) d=own ;; 1) d=club ;; 2|3) d=region ;; *) d=national ;; esac
  echo "pieces $((i % 7 + 2)) from $d" > $d/$n.pat
  echo "$n"
  i=$((i + 1))
done > order.txt
echo "pieces 9 from club" > club/p10.pat
echo missing >> order.txt
