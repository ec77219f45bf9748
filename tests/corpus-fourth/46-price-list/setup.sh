i=0; while [ $i -lt 60 ]; do echo "art$i;$((i * 19 + 100))"; i=$((i+1)); done > prices.csv
