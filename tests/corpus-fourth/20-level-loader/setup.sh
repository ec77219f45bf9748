mkdir levels
i=0; while [ $i -lt 30 ]; do seq 1 $((2000 + i * 60)) | tr '\n' '.' > levels/l$i.map; i=$((i+1)); done
