mkdir -p desks
i=1; while [ $i -le 6 ]; do seq $i $((i + 9)) > desks/d$i.txt; i=$((i + 1)); done
mkfifo calls
