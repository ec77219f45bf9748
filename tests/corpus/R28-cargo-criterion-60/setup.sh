i=0
while [ $i -lt 100 ]; do
    printf '[1,2],' >> samples.json
    i=$((i + 1))
done
