i=0; while [ $i -lt 40 ]; do echo "dive $i: $((i * 11 % 38 + 4)) m"; i=$((i+1)); done > dives.log
