rm -rf work texts; mkdir work texts
i=10
while [ $i -lt 34 ]; do
  j=0; while [ $j -lt $((i % 7 + 2)) ]; do j=$((j+1)); echo "Day $j: from port $((i % 9)) to island $((j * i % 23)), breakfast on deck, walk of $((j + i % 5)) miles."; done > texts/tour$i.txt
  i=$((i+1))
done
