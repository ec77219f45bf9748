i=1
while [ $i -le 40 ]; do mkdir -p orders/o$i; echo "$((i * 3 % 17 + 1)) $((i * 7 % 90 + 10)) oak" > orders/o$i/order.txt; i=$((i + 1)); done
