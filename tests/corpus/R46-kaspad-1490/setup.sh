# Blocks that another program wrote.
mkdir blocks
for number in $(seq 24); do echo "block $number" > "blocks/$number"; done
