i=1; while [ $i -le 30 ]; do echo "$i $((i*i))"; i=$((i+1)); done > jobs.txt
