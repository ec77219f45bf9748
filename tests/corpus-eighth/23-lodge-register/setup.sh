rm -f nights.txt
i=1
while [ $i -le 56 ]; do [ $((i % 4)) -eq 0 ] && v0=member || v0=visitor; echo "guest$i,$((i % 6 + 1)),$((i * 7 % 9)),$v0"; i=$((i + 1)); done > register.csv
