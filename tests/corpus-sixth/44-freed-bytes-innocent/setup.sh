mkdir -p previews
i=1; while [ $i -le 46 ]; do seq 1 $((i * 11)) > previews/pic$i.prev; i=$((i + 1)); done
