mkdir -p sheets
for n in 1 2 3 4 5 6 7 8 9; do
  i=0; while [ $i -lt $((n + 4)) ]; do echo "crew$((i % 4)),$((n * 11 + i))"; i=$((i + 1)); done > sheets/day$n.csv
done
