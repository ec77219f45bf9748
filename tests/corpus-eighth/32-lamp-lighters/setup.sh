rm -rf streets; mkdir streets; rm -f watch.txt
i=1
while [ $i -le 26 ]; do
  n=1; while [ $n -le $((i % 6 + 2)) ]; do if [ $((n * i % 4)) -eq 0 ]; then w=broken; else w=lit; fi; echo "lamp$n ${w} $((n * i % 50))"; n=$((n + 1)); done > streets/street$i.txt
  i=$((i + 1))
done
