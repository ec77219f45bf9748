mkdir -p cache
i=0
while [ $i -lt 40 ]; do echo "wind $i" > cache/kite$((i * 2)).json; i=$((i + 1)); done
i=0
while [ $i -lt 75 ]; do echo "kite$i $((i * 7 % 11))"; i=$((i + 1)); done > changed.txt
