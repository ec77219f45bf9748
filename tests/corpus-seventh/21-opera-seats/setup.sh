awk 'BEGIN { for (i = 0; i < 2000; i++) printf "%04d row %02d price %3d\n          ", i, i / 50, 20 + i * 13 % 90 }' > seats.dat
awk 'BEGIN { for (i = 0; i < 120; i++) print (i * 1117 + 31) % 2000 }' > bookings.txt
