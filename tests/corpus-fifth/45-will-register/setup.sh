mkdir -p register
i=1
while [ $i -le 6 ]; do echo "testator$i;$((i * 1234));heir$((i % 3))"; i=$((i + 1)); done > incoming.txt
