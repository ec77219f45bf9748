mkdir vault
for i in $(seq 1 30); do printf "ARC1%04d%0200d" $((i*3)) $i > vault/$i.arc; done
