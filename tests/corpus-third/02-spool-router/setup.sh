mkdir -p queue/fast queue/bulk queue/dead
for i in $(seq 1 200); do echo "$i $((i%7)) user$i@example.net"; done > incoming.txt
