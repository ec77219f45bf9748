for part in 0 1 2 3 4; do seq 1 1200 > part$part; done
