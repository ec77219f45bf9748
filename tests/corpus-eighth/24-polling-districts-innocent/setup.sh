rm -rf urns; mkdir urns
awk 'BEGIN { for (i = 0; i < 800; i++) print (i * 37) % 20, (i * i + i * 3) % 5 }' > slips.txt
