mkdir data
for number in $(seq 15); do echo "some words" > data/$number; done
