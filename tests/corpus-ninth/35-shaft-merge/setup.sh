mkdir -p shafts
awk 'BEGIN { for (s = 0; s < 16; s++) { f = "shafts/no" s ".log"
  for (k = 0; k < 20; k++) print 1700000000 + k * 40000 + s * 977, (k * 7 + s) % 13 + 0.5 > f
  close(f) } }'
