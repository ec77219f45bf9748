awk 'BEGIN { split("foul corner booking throw offside", k, " "); for (i = 0; i < 90; i++) print i, k[1 + i * 7 % 5], (i % 2 ? "home" : "away") }' > whistle.txt
