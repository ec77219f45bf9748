i=0
while [ $i -lt 40 ]; do
  i=$((i+1))
  echo "sheet$i section$((i * 7 % 9)) $((i * 11 % 5))"
done > sheets.txt
