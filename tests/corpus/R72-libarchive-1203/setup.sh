mkdir packages
for number in $(seq 20); do
	mkdir packages/$number
	for name in manifest part0 part1 part2 part3 part4; do echo "some words" > packages/$number/$name; done
done
