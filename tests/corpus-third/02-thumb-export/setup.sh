mkdir -p export/thumbs
for i in $(seq 1 120); do echo "img$i $((i*37%640)) $((i*91%480))"; done > catalog.txt
