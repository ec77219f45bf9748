printf '[centre]\nbase=40\nkm=12\n[harbour]\nbase=35\nkm=10\n[hills]\nbase=50\nkm=15\n' > zones.ini
awk 'BEGIN { split("centre harbour hills", z, " "); for (i = 0; i < 75; i++) print z[1 + i * 4 % 3] "," 1 + i * 7 % 23 }' > rides.csv
