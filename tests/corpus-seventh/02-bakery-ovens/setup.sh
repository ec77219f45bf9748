mkdir -p ovens
: > ovens/festival
awk 'BEGIN { split("rye spelt oat milk", b, " "); for (i = 0; i < 70; i++) print b[1 + i * 3 % 4], 8 + i * 5 % 14 }' > trays.txt
