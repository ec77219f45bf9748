mkdir -p valves
i=1
while [ $i -le 20 ]; do echo "valve $i open $((i * 13 % 7))" > valves/v$i.txt; i=$((i + 1)); done
