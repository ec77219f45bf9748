mkdir chunks
i=0; while [ $i -lt 120 ]; do seq $i $((i + 40)) > chunks/$i; i=$((i+1)); done
