mkdir -p rolls
i=1; while [ $i -le 20 ]; do { echo "ROLL $i state=new "; seq 1 $((i * 20)); } > rolls/r$i.txt; i=$((i + 1)); done
