mkdir -p lockers
i=1
while [ $i -le 45 ]; do echo "locker$i member$((i * 7 % 60))"; i=$((i + 1)); done > lockers.txt
