mkdir done
i=0; while [ $i -lt 30 ]; do echo "job $i: exit $((i % 3))" > done/job$i; i=$((i+1)); done
