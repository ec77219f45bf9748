i=1
while [ $i -le 140 ]; do
  case $((i % 4)) in 0) k=lorry ;; 1) k=car ;; 2) k=bus ;; 3) k=bike ;; esac
  echo "$((6 + i / 12)):$((i * 5 % 60));$k;$((i % 9));N$((i * 37 % 900 + 100))"
  i=$((i + 1))
done > toll.csv
