rm -rf weaves; mkdir weaves
awk 'BEGIN { for (i = 1; i <= 24; i++) { f = sprintf("weaves/w%02d.dat", i)
  for (y = 0; y < 64; y++) { for (x = 0; x < 64; x++) printf "%c", 97 + (x * i + y * 3) % 11 > f } close(f) } }'
echo 'rows 64 columns 64' > loom.txt
