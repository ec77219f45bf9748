mkdir tiles
for i in $(seq 1 25); do printf "%064d" $((i*i)) > tiles/$i.bin; done
