awk 'BEGIN { for (i = 0; i < 450; i++) printf "%c%c", 65 + i * 7 % 50, 48 + i * 11 % 40 }' > roll.bin
