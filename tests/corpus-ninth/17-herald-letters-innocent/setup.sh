mkdir -p letters
i=1
while [ $i -le 12 ]; do
  {
    echo "From: house$((i % 4))"
    echo "Seal: $( [ $((i % 3)) = 0 ] && echo red || echo green )"
    echo
    j=0
    while [ $j -lt $((i + 5)) ]; do echo "We bid you and yours to the tourney, line $j of $i."; j=$((j + 1)); done
  } > letters/l$i.txt
  i=$((i + 1))
done
gzip -9nf letters/*.txt
