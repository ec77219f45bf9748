mkdir obj
for i in $(seq 1 60); do echo "unit$i"; [ $((i%6)) = 0 ] || echo o > obj/unit$i.o; done > units.txt
