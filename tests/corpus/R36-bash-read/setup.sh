i=10
while [ $i -lt 50 ]; do
    echo "name-$i" >> names
    i=$((i + 1))
done
