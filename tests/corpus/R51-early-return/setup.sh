mkdir data
for number in $(seq 60); do echo "entry $number" > "data/$number"; done
