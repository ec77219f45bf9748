head -c 9000 /dev/zero > table
head -c 4096 /dev/zero > short
