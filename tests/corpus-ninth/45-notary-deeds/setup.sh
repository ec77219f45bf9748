rm -rf registry; mkdir registry
awk 'BEGIN { split("Alder Birch Cedar Dogwood", w, " "); for (i = 0; i < 25; i++) print w[i % 4 + 1], w[(i * 3 + 1) % 4 + 1], i % 9 }' > sales.txt
