for i in $(seq 1 30); do echo "item$i;$((i*3));$((i*i))"; done > invoice.csv
