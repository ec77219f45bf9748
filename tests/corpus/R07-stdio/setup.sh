mkdir data
for number in $(seq 20); do seq 2000 > data/$number; done
