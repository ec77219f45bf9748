awk 'BEGIN { for (i = 0; i < 40; i++) { s = sprintf("disc=%03d plays=%d ;", i, (i * 31) % 97); printf "%s", s; for (k = length(s); k < 4096; k++) printf "%c", 46 + (i + k) % 2 } }' > plays.rec
