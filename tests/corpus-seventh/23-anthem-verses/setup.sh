awk 'BEGIN { for (i = 0; i < 50; i++) { b = ""; n = 3 + i * 7 % 12; for (j = 0; j < n; j++) b = b "la-" j " lo "; printf "verse %d %d\n%s", i, length(b), b } }' > anthem.vrs
