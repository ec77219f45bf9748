mkdir names
for number in $(seq 0 19); do : > names/$number; done
