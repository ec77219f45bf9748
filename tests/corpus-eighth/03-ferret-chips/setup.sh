i=1
while [ $i -le 80 ]; do echo "$((900000 + i * 37)),ferret$i,$((i % 4)),$((i % 11 + 1))"; i=$((i + 1)); done > chips.csv
rm -f chips.json
