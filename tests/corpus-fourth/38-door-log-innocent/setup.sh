i=0; while [ $i -lt 14 ]; do echo "badge $((i * 31 % 10))"; i=$((i+1)); done > requests
