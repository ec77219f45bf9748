head -c 409600 /dev/zero > table
