mkdir docs
i=0; while [ $i -lt 70 ]; do seq $((i % 23)) 1500 > docs/d$i.txt; i=$((i+1)); done
