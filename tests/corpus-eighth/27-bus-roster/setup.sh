rm -rf rosters; mkdir rosters
for d in 1 2 3 4 5 6; do
  i=1
  while [ $i -le 14 ]; do [ $(((i + d) % 3)) -eq 0 ] && v0=early || v0=late; echo "driver$((d * 20 + i)) $v0 $((i % 7))"; i=$((i + 1)); done > rosters/depot$d.txt
done
printf '3 driver65\n5 driver104\n1 driver27\n' > sick.txt
