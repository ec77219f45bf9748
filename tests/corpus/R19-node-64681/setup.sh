mkdir lib
for number in $(seq 10); do echo "{}" > lib/m$number.json; done
