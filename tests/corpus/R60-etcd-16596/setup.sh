head -c 65536 /dev/zero > data
