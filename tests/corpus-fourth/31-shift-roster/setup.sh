mkdir roster
for i in $(seq 1 35); do printf 'early nurse%d\nlate nurse%d\nnight nurse%d\n' $((i % 5)) $((i % 3 + 5)) $((i % 4)) > roster/day$i; done
