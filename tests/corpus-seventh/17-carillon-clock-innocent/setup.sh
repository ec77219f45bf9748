awk 'BEGIN { split("c d e f g a b", n, " "); for (i = 0; i < 40; i++) print n[1 + i * 4 % 7] i % 3 }' > tune.txt
