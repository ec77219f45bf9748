mkdir blobs
i=0; while [ $i -lt 95 ]; do seq 1 $((i * 8 + 20)) > blobs/b$i; i=$((i+1)); done
