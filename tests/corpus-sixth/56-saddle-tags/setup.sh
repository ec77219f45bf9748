mkdir -p tags
for t in bay dun grey; do i=0; while [ $i -lt 20 ]; do echo "$t $i $((i * 3 % 7))"; i=$((i + 1)); done > tags/$t.txt; done
