rm -rf reeds; mkdir reeds
i=1
while [ $i -le 30 ]; do echo "cane$((i % 4)) $((i * 3 % 11)) $((i * 17 % 29))" > reeds/r$i.txt; i=$((i + 1)); done
i=1
while [ $i -le 80 ]; do echo "r$((i * 7 % 30 + 1))"; i=$((i + 1)); done > concerts.txt
