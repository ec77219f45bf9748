rm -rf sheets; mkdir sheets
awk 'BEGIN { for (i = 1; i <= 26; i++) { f = sprintf("sheets/s%02d.txt", i)
  for (y = 0; y < 10 + i % 5; y++) { for (x = 0; x < 60; x++) printf "%s", (x * y + i) % 3 ? "." : "X" > f; print "" > f } close(f) } }'
