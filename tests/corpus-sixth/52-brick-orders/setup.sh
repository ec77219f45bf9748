mkdir -p kilns
i=1
while [ $i -le 80 ]; do echo "kilns/k$((i % 9))/batch$i.txt $((i * 113 % 900))"; i=$((i + 1)); done > batches.txt
