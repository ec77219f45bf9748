for number in 1 2 3 4 5; do head -c 2016 /dev/zero > text$number; done
