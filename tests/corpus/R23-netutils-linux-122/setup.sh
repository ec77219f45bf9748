i=0
while [ $i -lt 16 ]; do
    echo "$i: $((i * 100)) $((i * 200)) eth0-$i" >> interrupts
    : > "table-$i"
    echo "$i: $((i * 100)) $((i * 200)) eth0-$i" > "table-$i"
    i=$((i + 1))
done
