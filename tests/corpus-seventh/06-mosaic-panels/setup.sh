awk 'BEGIN { for (i = 0; i < 64; i++) for (j = 0; j < 512; j++) printf "%08d", (i * 131 + j * 17) % 9973 }' > floor.panels
