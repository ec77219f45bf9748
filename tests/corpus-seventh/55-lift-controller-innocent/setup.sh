head -c 16384 /dev/zero > bank.dat
