rm -f slips.txt; : > book.txt
awk 'BEGIN { split("Arkle Eclipse Desert Foxhunt", h, " "); for (i = 0; i < 36; i++) print h[i % 4 + 1], 5 + i * 37 % 560 }' > wishes.txt
