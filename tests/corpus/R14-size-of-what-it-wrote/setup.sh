mkdir out
for line in $(seq 100); do echo "line $line"; done > log
