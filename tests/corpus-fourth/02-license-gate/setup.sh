mkdir etc
echo 'PRO-4711-0815' > etc/license.key
i=0; while [ $i -lt 240 ]; do echo "$i;customer $i;$((i * 13 % 97))"; i=$((i+1)); done > records.csv
