mkdir -p moulds
i=1
while [ $i -le 50 ]; do { echo "mould $i"; j=0; while [ $j -lt $((i % 9 + 1)) ]; do echo "x $((i * j))"; j=$((j + 1)); done; } > moulds/m$i.txt; i=$((i + 1)); done
touch -d '2026-03-04 05:06:07' moulds/*
