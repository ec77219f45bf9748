i=1
while [ $i -le 60 ]; do echo "room$i $((i % 7 + 3)) $((i % 5 + 2)) $([ $((i % 3)) = 0 ] && echo oak || echo ash)"; i=$((i + 1)); done > rooms.txt
