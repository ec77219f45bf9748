mkdir pages
i=0; while [ $i -lt 25 ]; do echo "page $i has $((i * 11)) words" > pages/p$i.txt; i=$((i+1)); done
