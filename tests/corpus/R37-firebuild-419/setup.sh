mkdir data
for number in $(seq 20); do echo "some words" > data/$number; done
head -c 4194304 /dev/zero > large
