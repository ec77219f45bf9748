mkdir -p tree/of/files
for number in $(seq 100); do echo "some words" > tree/of/files/$number; done
