mkdir -p casks
i=0
while [ $i -lt 8 ]; do
  echo cellar$i
  awk -v i=$i 'BEGIN { for (k = 0; k < 9; k++) print "cask" k ";" 1950 + (k * 17 + i * 5) % 60 ";" 200 + k }' > casks/cellar$i.csv
  i=$((i + 1))
done > cellars.txt
