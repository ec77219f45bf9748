for number in $(seq 0 11); do printf "RECD%02996d" 7 > record$number; done
