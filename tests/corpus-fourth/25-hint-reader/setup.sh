mkdir cards
i=0; while [ $i -lt 64 ]; do seq $i $((i + 450)) > cards/c$i.txt; i=$((i+1)); done
