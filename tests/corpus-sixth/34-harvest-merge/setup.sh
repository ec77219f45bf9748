mkdir -p fields
for f in east west south ridge; do
  i=0; while [ $i -lt 40 ]; do echo "$f,$((i * 13 % 29)),$((${#f} * 100 + i * 7 % 61))"; i=$((i + 1)); done > fields/$f.csv
done
