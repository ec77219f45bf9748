rm -rf hives; mkdir hives
i=1
while [ $i -le 48 ]; do echo "hive$i $((i * 17 % 31)) kg" > hives/h$i.txt; i=$((i + 1)); done
