mkdir -p bins
i=1
while [ $i -le 24 ]; do seq $i $((i + 30)) > bins/bin$i.txt; i=$((i + 1)); done
seq 1 24 > bins.txt
