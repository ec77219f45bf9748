mkdir dist stage
for i in 1 2 3 4 5 6 7 8 9 10; do head -c 500000 /dev/zero | tr '\0' "$((i%10))" > dist/lib$i.so; done
