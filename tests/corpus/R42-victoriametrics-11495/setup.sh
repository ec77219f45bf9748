for number in 1 2 3 4 5; do head -c 100000 /dev/zero > "part$number"; done
mkfifo line
