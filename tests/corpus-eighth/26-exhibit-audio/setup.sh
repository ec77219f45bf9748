rm -rf tracks player; mkdir tracks
awk 'BEGIN { b = ""; for (k = 0; k < 1024; k++) b = b sprintf("%c", 33 + (k * 7) % 90); for (i = 1; i <= 20; i++) { f = sprintf("tracks/t%02d.ogg", i); printf "track %d\n", i > f; for (k = 0; k < 100; k++) printf "%s", b > f; close(f); print sprintf("t%02d.ogg", i), i % 4 } }' > rooms.txt
