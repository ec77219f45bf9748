rm -rf masts; mkdir masts
awk 'BEGIN { for (i = 0; i < 2400; i++) print (i * 7) % 24, (i * 31) % 180, (i * 13) % 360 }' > readings.txt
