head -c 32768 /dev/zero > world.dat
