mkdir -p plates
i=1
while [ $i -le 14 ]; do echo "plate $i $((i * 31 % 17)) $((i * 7 % 11))"; i=$((i + 1)); done > plates.txt
