i=100
while [ $i -lt 174 ]; do
    echo "file-$i.c" >> names
    i=$((i + 1))
done
i=0
while [ $i -lt 100 ]; do
    printf '%04096d' $i >> table
    i=$((i + 1))
done
