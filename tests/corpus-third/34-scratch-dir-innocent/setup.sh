i=1; while [ $i -le 50 ]; do echo "$((i*7919%101)) row$i"; i=$((i+1)); done > rows.txt
