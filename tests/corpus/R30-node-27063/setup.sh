head -c 2097152 /dev/zero > large
head -c 81920 /dev/zero > small
