i=1
while [ $i -le 60 ]; do
  case $((i % 4)) in 0) s=lent;; 1) s=advent;; 2) s=easter;; 3) s=trinity;; esac
  echo "$((i * 7 % 500 + 1)) $s $((i % 5 + 3)) tune-$((i % 9))"
  i=$((i + 1))
done > hymns.txt
