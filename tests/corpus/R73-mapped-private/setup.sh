for table in 1 2 3 4 5; do head -c 65536 /dev/zero > table$table; done
