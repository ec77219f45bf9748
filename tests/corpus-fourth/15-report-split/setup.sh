i=1; while [ $i -le 40 ]; do echo "branch$((i % 4)) report $i turnover $((i * 311 % 1000))"; i=$((i+1)); done > reports.txt
