mkdir -p logs
i=1
while [ $i -le 30 ]; do echo "keeper K$i begins" > logs/k$i.log; i=$((i + 1)); done
i=1
while [ $i -le 120 ]; do echo "$((i * 7 % 30 + 1)) $((i % 24)):$((i % 50 + 10)) $([ $((i % 3)) = 0 ] && echo goods || echo mail)"; i=$((i + 1)); done > trains.txt
