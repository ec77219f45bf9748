mkdir -p queue
for n in 1 2 3; do seq $n $((n * 20)) > queue/fax$n.txt; done
