head -c 200000 /dev/zero > table
