mkdir logs
for i in $(seq 1 30); do echo "opened" > logs/channel$i.log; done
