head -c 65536 /dev/zero > pack
