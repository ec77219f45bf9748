[ -f traces.dat ] || awk 'BEGIN { for (r = 0; r < 30; r++) for (i = 0; i < 100; i++) printf "%06d\n", (r * 7919 + i * 104729) % 1000003 % 1000000 }' > traces.dat
