mkdir -p sheets
i=1
while [ $i -le 22 ]; do
  j=1
  while [ $j -le $((i % 6 + 5)) ]; do
    case $(((i + j) % 5)) in 0) w=nougat;; 1) w=marzipan;; 2) w=fondant;; 3) w="candied peel";; 4) w=praline;; esac
    echo "$w;$((j * 3 + i));$((j * 45 + 100))"
    j=$((j + 1))
  done > sheets/shop$i.csv
  i=$((i + 1))
done
