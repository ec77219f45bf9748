mkdir geo
for i in $(seq 1 12); do head -c 200000 /dev/zero | tr '\0' "$((i%10))" > geo/tile$i.dat; done
