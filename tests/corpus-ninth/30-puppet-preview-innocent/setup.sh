awk 'BEGIN { for (i = 0; i < 14; i++) print i % 3, 3 + i * 5 % 12 }' > script.txt
