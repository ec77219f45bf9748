head -c 64 /dev/zero > counters
