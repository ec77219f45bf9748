: > order.txt
i=0
while [ $i -lt 36 ]; do
  d=stalls/s$i
  mkdir -p $d
  echo $d >> order.txt
  case $((i % 5)) in 0) w=oak;; 1) w=lime;; 2) w=elm;; *) w=walnut;; esac
  printf 'subject=Beast %02d\nwood=%s\n' $((i * 7 % 36)) $w > $d/card.txt
  printf 'P5 4 4 255 %016d' $i > $d/photo.raw
  i=$((i + 1))
done
