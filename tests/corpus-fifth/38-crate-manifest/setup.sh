i=1
while [ $i -le 32 ]; do echo "crate$i $((i * 17 % 90 + 4)) dock$((i % 5))"; i=$((i + 1)); done > crates.txt
