mkdir -p var/log
for i in $(seq 1 120); do echo "line $i" > var/log/app-$i.log; done
