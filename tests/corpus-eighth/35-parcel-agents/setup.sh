rm -rf vans; mkdir vans
i=1
while [ $i -le 60 ]; do echo "van$((i % 4)) street$((i * 11 % 23)) $((i % 6 + 1))"; i=$((i + 1)); done > stops.txt
echo "key 4711-0815" > signing.key
