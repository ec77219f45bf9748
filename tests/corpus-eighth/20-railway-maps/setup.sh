rm -rf maps; mkdir maps
awk 'BEGIN { for (i = 1; i <= 20; i++) { f = sprintf("maps/m%02d.net", i)
  for (k = 0; k < 500 + 30 * i; k++) printf "halt%d-halt%d %d\n", k, k + 1 + (k * i) % 5, (k * 17 + i) % 29 + 1 > f; close(f) } }'
