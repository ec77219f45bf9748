mkdir -p scenes
for n in 1 2 3 4; do seq $((n * 10)) $((n * 37)) > scenes/s$n.txt; done
