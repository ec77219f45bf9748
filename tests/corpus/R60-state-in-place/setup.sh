head -c 32768 /dev/zero > state
