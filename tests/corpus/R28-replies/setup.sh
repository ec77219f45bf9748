i=0
while [ $i -lt 100 ]; do
    printf 'r%03dlong' $i >> replies
    i=$((i + 1))
done
mkfifo fifo
