mkdir shards
for i in $(seq 0 59); do for j in 1 2 3 4 5; do echo "k$((i*j)) v$j"; done > shards/s$i; done
