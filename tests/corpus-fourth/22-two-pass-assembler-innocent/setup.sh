mkdir src
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do printf 'start%d: load r1, @value\n jump end%d\nend%d: halt\n' $i $i $i > src/p$i.s; done
