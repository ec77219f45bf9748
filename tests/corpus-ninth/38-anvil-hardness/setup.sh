awk 'BEGIN { for (i = 0; i < 45; i++) printf "steel%d %d 0.%d 0.%d 0.%d\n", i, 10 + i % 3 * 10, 20 + i, 21 + i, 19 + i }' > dents.txt
: > certificate.txt
