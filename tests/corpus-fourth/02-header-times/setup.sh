mkdir include src obj
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "#define H$i $i" > include/h$i.h; done
touch -d '3 days ago' include/*.h
for i in $(seq 1 40); do echo "int f$i(void);" > src/u$i.c; echo o > obj/u$i.o; done
touch -d '2 days ago' src/*.c
touch -d '1 day ago' obj/*.o
touch src/u7.c src/u31.c
