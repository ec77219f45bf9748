mkdir -p sinks
i=1
while [ $i -le 20 ]; do echo "plates $i bowls $((i * 3)) pans $((i % 4))" > sinks/s$i.txt; i=$((i + 1)); done
