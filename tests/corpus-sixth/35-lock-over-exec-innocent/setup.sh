mkdir -p spool
for n in 1 2 3 4; do i=0; while [ $i -lt $((n * 15)) ]; do echo "$((i * 7 % 13)) letter $i"; i=$((i + 1)); done > spool/bag$n.txt; done
