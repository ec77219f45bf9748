mkdir -p diary
y=1
while [ $y -le 16 ]; do
  awk -v y=$y 'BEGIN { for (i = 0; i < 730; i++) printf "%d: %s, walked %d miles and wrote\n", 1800 + y, (i % 5 ? "dull" : "fair"), i * y % 13 }' > diary/$((1800 + y)).txt
  y=$((y + 1))
done
