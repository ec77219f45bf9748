mkdir fragments
i=10; while [ $i -lt 42 ]; do seq $i $((i * 40)) > fragments/part.$i; i=$((i+1)); done
