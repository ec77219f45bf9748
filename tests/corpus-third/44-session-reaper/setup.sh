mkdir sessions
for i in $(seq 1 70); do echo "s$i $((i*10))"; [ $((i%5)) = 0 ] || echo data > sessions/s$i; done > index.txt
