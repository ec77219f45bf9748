i=0
while [ $i -lt 80 ]; do echo "$i,$((i * i % 97)),$((i * 7 % 31))"; i=$((i + 1)); done > gauge.csv
