mkdir stop
i=0; while [ $i -lt 40 ]; do seq $((i + 1)) $((i + 60)) | sed 's/^/wort/' > stop/lang$i.txt; i=$((i+1)); done
