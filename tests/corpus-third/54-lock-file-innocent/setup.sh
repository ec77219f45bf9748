mkdir spool; i=1; while [ $i -le 20 ]; do echo "job $i" > spool/j$i; i=$((i+1)); done
