i=0; while [ $i -lt 210 ]; do echo "$i;shelf $((i % 9));$((i * 31 % 57))"; i=$((i+1)); done > stock.csv
