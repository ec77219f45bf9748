mkdir keys old
for number in $(seq 10); do echo > "old/$number"; chmod 644 "old/$number"; done
