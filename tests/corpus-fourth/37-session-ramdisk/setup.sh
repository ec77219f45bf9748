mkdir sessions
i=0; while [ $i -lt 45 ]; do echo "user=$i;cart=$((i * 3 % 7))" > sessions/s$i; i=$((i+1)); done
