rm -rf pictures boxes; mkdir pictures
awk 'BEGIN { b = ""; for (k = 0; k < 1024; k++) b = b sprintf("%c", 48 + (k * 11) % 70); for (i = 1; i <= 22; i++) { f = sprintf("pictures/p%02d.ppm", i); for (k = 0; k < 40; k++) printf "%s", b > f; close(f); printf "p%02d %d %d\n", i, (i % 4 + 1) * 250, i % 3 } }' > puzzles.txt
