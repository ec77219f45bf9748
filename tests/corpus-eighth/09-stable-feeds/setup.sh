rm -f feeds.txt
i=1
while [ $i -le 36 ]; do echo "horse$i:$((380 + i * 23 % 240)):$((i % 4))"; i=$((i + 1)); done > horses.txt
