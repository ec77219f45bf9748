mkdir inbox
i=0; while [ $i -lt 8 ]; do seq 1 $((100 + i)) > inbox/m$i; i=$((i+1)); done
