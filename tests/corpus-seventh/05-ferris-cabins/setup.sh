awk 'BEGIN { for (c = 0; c < 48; c++) { printf "cabin%02d", c; n = 60 + c * 7 % 40; for (i = 0; i < n; i++) printf " rider%d/%d", i * 31 % 997, c; print "" } }' > riders.txt
