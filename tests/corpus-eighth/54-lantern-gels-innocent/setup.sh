i=1
while [ $i -le 50 ]; do
  case $((i * 7 % 5)) in 0) c=amber ;; 1) c=rose ;; 2) c=steel ;; 3) c=straw ;; 4) c=green ;; esac
  echo "lamp$i $c $((i * 11 % 9))"
  i=$((i + 1))
done > rig.txt
