i=1
while [ $i -le 75 ]; do
  case $((i % 4)) in 0) k=gryphon;; 1) k=basilisk;; 2) k=manticore;; *) k=unicorn;; esac
  echo "$k folio$((i * 3)) $((i * 41 % 200 + 50)) $((i * 23 % 150 + 40))"
  i=$((i + 1))
done > beasts.txt
