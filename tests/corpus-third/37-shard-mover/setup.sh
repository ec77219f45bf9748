mkdir shards
for i in $(seq 1 15); do head -c 3000 /dev/zero | tr '\0' 's' > shards/s$i.idx; done
