awk 'BEGIN { for (i = 0; i < 40; i++) { s = sprintf("CHARTER %d seal=%d;", i, (i * 13) % 5); printf "%s", s; for (k = length(s); k < 4096; k++) printf "%c", 97 + (k + i) % 26 } }' > charters.img
