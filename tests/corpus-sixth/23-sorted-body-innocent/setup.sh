mkdir -p results
i=1
while [ $i -le 15 ]; do
  {
    echo "runner,seconds"
    j=1
    while [ $j -le 30 ]; do
      echo "runner$((j * i % 97)),$((j * 7919 * i % 900 + 600))"
      j=$((j + 1))
    done
  } > results/heat$i.csv
  i=$((i + 1))
done
