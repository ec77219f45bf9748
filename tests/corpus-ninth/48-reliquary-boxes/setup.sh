d=crypt/north/aisle-3/press-12/shelf-2/boxes
mkdir -p $d
i=0
while [ $i -lt 70 ]; do
  echo "saint Saint$((i * 37 % 70)) bones $((i % 11 + 1)) seals $((i % 4))" > $d/box$i
  i=$((i + 1))
done
