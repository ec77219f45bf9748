mkdir -p posters previews
i=1
while [ $i -le 24 ]; do seq $i $((i + 900)) > posters/poster$i.txt; i=$((i + 1)); done
