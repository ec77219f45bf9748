head -c 65536 /dev/zero > trace.ring
