rm -rf scans; mkdir scans
awk 'BEGIN { for (i = 1; i <= 22; i++) { f = sprintf("scans/shard%02d.xyz", i)
  for (k = 0; k < 600 + 20 * i; k++) printf "%d %d %d\n", (k * i) % 400, (k * 7) % 300, (k + i) % 90 > f; close(f) } }'
