rm -f cistern.dat
