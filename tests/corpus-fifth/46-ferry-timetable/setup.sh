mkdir -p public
for r in north south island; do
  echo "old table of $r" > public/$r.txt
  i=0; while [ $i -lt 60 ]; do echo "$((6 + i / 4)) $((i % 4 * 15)) pier$((i % 3))"; i=$((i + 1)); done > $r.src
done
