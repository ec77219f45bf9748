mkdir -p mills
for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24; do i=0; while [ $i -lt 12 ]; do echo $((i * n * 7 % 31)); i=$((i + 1)); done > mills/m$n.txt; done
