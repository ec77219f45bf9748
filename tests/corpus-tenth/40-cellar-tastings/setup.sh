i=10
while [ $i -lt 34 ]; do
  echo "wine-$i $((1990 + i)) $((i * 7 % 20 + 1)) $((i * 11 % 20 + 1)) $((i * 5 % 20 + 1))"
  i=$((i+1))
done > wines.txt
rm -rf sheets
