rm -rf plates; mkdir plates
i=1
while [ $i -le 24 ]; do echo "family$i $((1700 + i * 9)) $((i % 4))"; i=$((i + 1)); done > families.txt
