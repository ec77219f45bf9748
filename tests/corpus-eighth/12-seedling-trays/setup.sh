rm -rf greenhouse; mkdir greenhouse
i=1
while [ $i -le 8 ]; do
  mkdir greenhouse/tray$i
  for s in basil chard dill fennel kale leek; do : > greenhouse/tray$i/$s-$((i % 3)).seed; done
  i=$((i + 1))
done
