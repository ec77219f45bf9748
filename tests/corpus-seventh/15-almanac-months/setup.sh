awk 'BEGIN { for (i = 0; i < 72; i++) print "day" i, "month" i * 5 % 8, "moon" i % 29, "tide" i * 13 % 60 }' > almanac.txt
