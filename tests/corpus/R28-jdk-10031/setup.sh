i=0
while [ $i -lt 200 ]; do
    printf '\000\000\001\002' >> numbers
    i=$((i + 1))
done
