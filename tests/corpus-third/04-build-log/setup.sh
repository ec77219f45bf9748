mkdir -p logs
for i in $(seq 1 150); do echo "unit$i $((i%9))"; done > units.txt
