mkdir -p trees
i=1
while [ $i -le 16 ]; do
  j=0; while [ $j -lt 60 ]; do echo "person$(((i * 13 + j * 7) % 400));17$((j % 90 + 10));village$((j % 9))"; j=$((j + 1)); done > trees/family$i.csv
  i=$((i + 1))
done
