i=1
: > holders.csv
while [ $i -le 20 ]; do
  echo "holder $i,$((i * 37 % 90 + 10)),granite" >> holders.csv
  i=$((i + 1))
done
mkdir permits
