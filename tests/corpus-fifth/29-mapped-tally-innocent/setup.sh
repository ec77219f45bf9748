i=1
while [ $i -le 24 ]; do echo "lane$((i % 8)) $((i * 37 % 50 + 1))"; i=$((i + 1)); done > lanes.txt
dd if=/dev/zero of=tally.bin bs=4096 count=1 2>/dev/null
