mkdir data
for number in $(seq 20); do echo "some words" > data/$number; done
