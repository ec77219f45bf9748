awk 'BEGIN { for (s = 0; s < 32; s++) for (k = 0; k < 3; k++) printf "lane%02d Poor%d %d\n", s, s * 3 + k, (s * 7 + k * 5) % 24 + 1 }' > alms.txt
