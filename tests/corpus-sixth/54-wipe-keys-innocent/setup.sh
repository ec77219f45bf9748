mkdir -p keys
i=1; while [ $i -le 12 ]; do { echo "KEY $i"; seq $((i * 100)) $((i * 100 + 200)); } > keys/k$i.key; i=$((i + 1)); done
