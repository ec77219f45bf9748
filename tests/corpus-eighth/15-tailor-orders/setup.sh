rm -rf workshop
i=1
while [ $i -le 32 ]; do
  case $((i % 4)) in 0) day=mon ;; 1) day=tue ;; 2) day=thu ;; *) day=fri ;; esac
  case $((i % 3)) in 0) what=suit ;; 1) what=coat ;; *) what=dress ;; esac
  echo "$day:$i:$((i * 13 % 40 + 80)):$what"
  i=$((i + 1))
done > orders.txt
