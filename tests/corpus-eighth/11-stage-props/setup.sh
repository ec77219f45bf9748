rm -rf props; mkdir props
i=1
while [ $i -le 34 ]; do
  n=prop$i
  case $((i % 8)) in 0) e=webp ;; 1|2) e=png ;; 3|4) e=jpg ;; *) e=svg ;; esac
  echo "$e $((i * 37 % 300 + 20))x$((i * 41 % 200 + 20))" > props/$n.$e
  echo "act $((i % 3 + 1)): $n"
  i=$((i + 1))
done > plot.txt
