i=1; while [ $i -le 40 ]; do echo "$i $((i*3))"; i=$((i+1)); done > work.list
