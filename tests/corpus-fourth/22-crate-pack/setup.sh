mkdir members
i=0; while [ $i -lt 40 ]; do seq 1 $((500 + i * 31)) > members/m$i.dat; i=$((i+1)); done
