i=0
while [ $i -lt 100 ]; do
    printf '%0100d' $i >> records
    i=$((i + 1))
done
