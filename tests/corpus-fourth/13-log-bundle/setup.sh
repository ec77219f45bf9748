mkdir logs
i=0; while [ $i -lt 130 ]; do echo "2024-06-01 service $i started" > logs/svc-$i.log; i=$((i+1)); done
