for part in 1 2 3 4 5 6; do seq 1 2500 > part$part; done
