mkdir -p quarry/north
awk 'BEGIN { split("granite basalt slate", s, " "); for (i = 0; i < 80; i++) print s[1 + i * 5 % 3], 900 + i * 77 % 600 }' > loads.txt
