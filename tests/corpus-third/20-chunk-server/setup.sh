mkdir objects
for i in $(seq 0 9); do head -c 120000 /dev/zero | tr '\0' "$i" > objects/o$i; done
