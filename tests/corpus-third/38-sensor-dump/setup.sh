for i in $(seq 1 50); do echo "$i;$((i*7%40));$((i*3%100))"; done > readings.csv
echo "# dump" > dump.txt
