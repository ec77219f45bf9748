awk 'BEGIN { for (i = 0; i < 6000; i++) printf "%04d canoe-%02d hours %d\n", i, i % 23, 1 + i % 7 }' > hire.log
