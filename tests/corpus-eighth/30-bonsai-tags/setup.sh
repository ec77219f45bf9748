rm -rf printers; mkdir printers
ln -s /dev/full printers/left; ln -s /dev/null printers/right
i=1
while [ $i -le 72 ]; do echo "tree$i $(( i % 3 == 0 )) $((i * 11 % 80 + 5)) bench$((i % 8))"; i=$((i + 1)); done > trees.txt
