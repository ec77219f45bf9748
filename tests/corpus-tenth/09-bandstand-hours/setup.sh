cat > season.conf <<'E'
first=15
last=21
chairs=80
E
i=1
while [ $i -le 56 ]; do echo "band$((i % 9)) $((i * 5 % 12 + 11)) $((i * 29 % 140))"; i=$((i + 1)); done > concerts.txt
