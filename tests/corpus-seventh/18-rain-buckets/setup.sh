awk 'BEGIN { for (d = 0; d < 30; d++) for (b = 0; b < 12; b++) print d, b, (d * 37 + b * 11) % 250 }' > rain.txt
