i=1
while [ $i -le 30 ]; do
  case $((i % 4)) in 0) v=soprano ;; 1) v=alto ;; 2) v=tenor ;; 3) v=bass ;; esac
  echo "singer$i:$v:$((2000 + i % 25))"
  i=$((i + 1))
done > members.txt
sed 's/:.*/:0/' members.txt > dues.txt
