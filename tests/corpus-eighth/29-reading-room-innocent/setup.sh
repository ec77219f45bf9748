rm -f seats.map
head -c 8192 /dev/zero > seats.map
i=1
while [ $i -le 40 ]; do
  if [ $((i % 3)) -eq 0 ]; then echo "leave $((i * 7 % 64))"; else echo "take $((i * 11 % 64)) reader$i"; fi
  i=$((i + 1))
done > gate.txt
