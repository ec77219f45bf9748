i=100; while [ $i -lt 180 ]; do echo "$i;patient $i;ward $((i % 5))"; i=$((i+1)); done > patients.idx
