mkdir logs
for i in $(seq 1 50); do printf 'start\nwork %s\nexit %s\n' $i $((i%3)) > logs/s$i.log; done
