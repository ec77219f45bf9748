rm -rf pianos; mkdir pianos
i=1
while [ $i -le 30 ]; do if [ $((i * 7 % 24)) -gt 19 ]; then w=fine; else w=open; fi; echo "piano$i $((i * 7 % 24)) ${w}" > pianos/p$i.txt; i=$((i + 1)); done
