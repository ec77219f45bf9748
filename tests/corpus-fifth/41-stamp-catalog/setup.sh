mkdir -p scans
i=1
while [ $i -le 120 ]; do : > scans/$((i * 7 % 64))-$i.tif; i=$((i + 1)); done
i=0
while [ $i -lt 64 ]; do echo "$i|Stamp of value $((i * 5 % 80))|19$((i % 60 + 20))"; i=$((i + 1)); done > stamps.txt
