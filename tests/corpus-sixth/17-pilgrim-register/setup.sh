i=1
while [ $i -le 100 ]; do
  case $((i % 3)) in 0) w=foot ;; 1) w=horse ;; 2) w=cart ;; esac
  echo "pilgrim$i $w $((i * 17 % 38 + 3))"
  i=$((i + 1))
done > register.txt
