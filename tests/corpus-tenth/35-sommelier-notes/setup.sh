mkdir -p tastings
i=10
while [ $i -lt 28 ]; do
  echo "b$i,19$((60+i)),cellar $((i % 4))"
  echo "bottle b$i $(echo plum tar leather cedar smoke | cut -d' ' -f1-$((i % 5 + 1))) long finish" > tastings/b$i.txt
  i=$((i+1))
done > cellar.csv
