i=1; while [ $i -le 30 ]; do mkdir -p levels/l$i; echo "size=$((i * 8)) boss=$((i % 4))" > levels/l$i/meta; i=$((i+1)); done
