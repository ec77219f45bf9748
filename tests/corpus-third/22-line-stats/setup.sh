mkdir logs
for i in $(seq 1 25); do for j in $(seq 1 $((i*3))); do echo "$j ERROR code $((j%7)) in part $i"; done > logs/s$i.log; done
