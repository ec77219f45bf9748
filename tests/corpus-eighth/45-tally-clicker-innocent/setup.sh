printf '%015d\n' 0 0 0 0 > clicker.dat
i=1
while [ $i -le 24 ]; do echo "$((i * 7 % 4)) $((i % 3 + 1))"; i=$((i + 1)); done > clicks.txt
