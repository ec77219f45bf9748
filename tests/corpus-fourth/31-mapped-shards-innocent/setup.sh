mkdir shards
i=0; while [ $i -lt 40 ]; do seq -w $i 40 $((i + 4000)) > shards/s$i; i=$((i+1)); done
