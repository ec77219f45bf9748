for y in 2019 2020 2021; do
  mkdir -p notes/$y
  i=1; while [ $i -le 8 ]; do echo "note $i of $y" > notes/$y/n$i.txt; i=$((i + 1)); done
done
