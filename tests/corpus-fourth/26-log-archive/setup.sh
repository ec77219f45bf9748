mkdir logs archive
i=0; while [ $i -lt 30 ]; do seq 1 12000 | sed "s/^/host$i /" > logs/host$i.log; i=$((i+1)); done
