mkdir -p mnt; ln -s /dev/full mnt/stats.out
for i in $(seq 1 60); do echo "$((i%4)) $((i*i%1000))"; done > samples.txt
