mkdir -p show
for s in spring summer autumn winter; do
  echo "1 old slide" > show/$s.order
  i=1; while [ $i -le 15 ]; do echo "$((i * 7 % 16)) $s-$i"; i=$((i + 1)); done > $s.txt
done
