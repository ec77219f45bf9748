awk 'BEGIN { split("1234 12345 123456 12345678", s, " "); for (i = 0; i < 24; i++) print "method" i, s[i % 4 + 1], 2 * (i % 9 + 1) }' > tower.txt
