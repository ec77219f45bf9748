mkdir contracts
i=1
: > tenants.txt
while [ $i -le 15 ]; do
  echo "flat$i tenant$((i * 4 % 16)) $((400 + i * 13))" >> tenants.txt
  i=$((i + 1))
done
