mkdir -p pages
i=1
while [ $i -le 28 ]; do j=0; while [ $j -lt 9 ]; do echo "acct$((j % 4)) $((i * j * 13 % 500 - 120))"; j=$((j + 1)); done > pages/p$i.txt; i=$((i + 1)); done
