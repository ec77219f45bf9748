printf 'TURNS1\0\0' > turns.map
head -c 40 /dev/zero >> turns.map
awk 'BEGIN { for (i = 0; i < 24; i++) print "wheel", i % 4, "turns", 300 + i * 17 % 90, "drop", 5 + i % 3 }' > tides.txt
