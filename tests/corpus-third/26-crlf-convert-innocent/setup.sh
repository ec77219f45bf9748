mkdir win unix
for i in 1 2 3 4 5 6; do for j in $(seq 1 1500); do printf 'line %s of file %s\r\n' $j $i; done > win/t$i.txt; done
