rm -rf printers; mkdir printers
ln -s /dev/full printers/front; ln -s /dev/null printers/back
i=1
while [ $i -le 36 ]; do echo "$i $(( (i * 37) % 900 + 80 )) $(( i % 5 ))"; i=$((i + 1)); done > orders.txt
