mkdir -p boards
i=0
while [ $i -lt 20 ]; do
  i=$((i+1))
  echo "<p>closed</p>" > boards/landing-$i.html
  echo "$i $((i % 6 + 1)) $((i * 13 % 60))"
done > landings.txt
