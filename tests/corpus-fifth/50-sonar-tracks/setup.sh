mkdir -p tracks
i=1
while [ $i -le 60 ]; do seq $((i * 2)) $((i * 5 + 40)) > tracks/t$i.trk; i=$((i + 1)); done
