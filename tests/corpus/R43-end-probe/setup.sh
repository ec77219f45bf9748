for number in $(seq 12); do head -c 50000 /dev/zero > "data$number"; done
