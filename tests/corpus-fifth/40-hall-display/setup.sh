mkdir -p screens
i=1
while [ $i -le 40 ]; do echo "hall$((i % 8)) talk$i $((9 + i % 9)):00"; i=$((i + 1)); done > programme.txt
