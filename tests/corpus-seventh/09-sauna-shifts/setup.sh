awk 'BEGIN { split("adult child senior", k, " "); for (i = 0; i < 64; i++) print k[1 + i * 5 % 3], 1 + i * 7 % 4, (i % 5 ? "day" : "night") }' > guests.txt
