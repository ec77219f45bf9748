mkdir notes
for number in $(seq 0 99); do echo "note $number" > "notes/$number"; done
