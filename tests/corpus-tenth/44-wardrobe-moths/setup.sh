rm -rf tags; mkdir -p tags
i=0
while [ $i -lt 60 ]; do
  i=$((i+1))
  [ $((i % 2)) -eq 0 ] && echo "checked" > tags/garment-$i.tag
  case $((i % 5)) in 0) s=torn;; *) s=sound;; esac
  echo "$i $s $((i * 7 % 11))"
done > wardrobe.txt
