rm -rf surveys; mkdir surveys
awk 'BEGIN { for (i = 1; i <= 26; i++) { f = sprintf("surveys/cave%02d.svx", i); n = 0
  for (k = 0; k < 60 + i; k++) { l = sprintf("%d %d %.1f %d\n", k, k + 1, (i * k) % 37 / 2 + 1, (k * 71) % 360); printf "%s", l > f; n += length(l) }
  close(f); print f, n > "manifest" } }'
