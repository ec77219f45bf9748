mkdir data
for number in $(seq 40); do echo "entry $number" > "data/$number"; done
