mkdir out
for i in $(seq 1 120); do echo "host$i;$((i*13%100));$((i*7%64))"; done > load.csv
