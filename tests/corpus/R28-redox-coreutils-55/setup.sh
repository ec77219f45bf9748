i=10
while [ $i -lt 88 ]; do
    echo "l $i" >> lines
    i=$((i + 1))
done
mkfifo jobs
