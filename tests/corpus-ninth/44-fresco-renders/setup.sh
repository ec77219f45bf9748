mkdir -p renders
i=0
: > panels.txt
while [ $i -lt 24 ]; do
  s=restored; [ $((i % 4)) = 0 ] && s=untouched
  echo "wall$i $s" >> panels.txt
  : > renders/wall$i-full.ppm; : > renders/wall$i-left.ppm
  [ $((i % 3)) = 0 ] && : > renders/wall$i-right.ppm
  i=$((i + 1))
done
