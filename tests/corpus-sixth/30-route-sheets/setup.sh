i=0
while [ $i -lt 180 ]; do
  echo "$((i * 7 % 12));Stop $((i + 1));$((i * 17 % 40 + 1)) crates"
  i=$((i + 1))
done > stops.csv
mkdir -p depot
ln -s /dev/full depot/copy.csv
