rm -rf vault
i=0
while [ $i -lt 40 ]; do echo "house$((i % 9)) lk$((1000 + i * 31))"; i=$((i + 1)); done > locks.txt
