mkdir out
for i in $(seq 1 150); do echo "$i $((i%3)) message$i"; done > inbox.txt
