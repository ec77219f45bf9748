rm -rf leaflets report.csv; mkdir leaflets
i=1
while [ $i -le 30 ]; do
  p=$i; [ $i -gt 9 ] || p=0$i
  n=drug-$p
  echo "$n"
  if [ $((i % 9)) -eq 0 ]; then : > leaflets/$n.txt
  else printf 'name: Substance %d\ndose: %d mg\nwarn: %s\nAsk your pharmacist.\nKeep dry.\n' $i $((i * 5)) "after meals" > leaflets/$n.txt
  fi
  i=$((i + 1))
done > stock.lst
