mkdir -p nights
i=1
while [ $i -le 66 ]; do
  printf 'hawk,%d\ntiger,%d\nowlet,%d\n' $((i % 4)) $((i * 3 % 11)) $((i * 7 % 40)) > nights/n$i.csv
  i=$((i + 1))
done
