i=0; while [ $i -lt 300 ]; do echo $((i*7919%1009)); i=$((i+1)); done > numbers.txt
