awk 'BEGIN { at = 0; for (i = 0; i < 900; i++) { e = sprintf("species %d petals %d found %d times", i, 3 + i % 6, i * 31 % 77); n = 80 + i * 13 % 60; printf "%-" n "s\n", e > "flora.dat"; print i, at, n + 1 > "flora.idx"; at += n + 1 } }'
awk 'BEGIN { for (i = 0; i < 90; i++) print (i * 541 + 77) % 900 }' > questions.txt
