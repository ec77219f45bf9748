mkdir data
for number in $(seq 30); do echo "some words" > data/$number; done
