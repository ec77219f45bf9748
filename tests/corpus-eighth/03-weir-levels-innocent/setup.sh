rm -f levels.dat; : > levels.dat
