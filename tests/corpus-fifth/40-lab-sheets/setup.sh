mkdir -p sheets
i=1
while [ $i -le 60 ]; do echo "sample $i: $((i * 31 % 97)) $((i * 7 % 53)) $((i * 3 % 11))"; i=$((i + 1)); done > samples.txt
