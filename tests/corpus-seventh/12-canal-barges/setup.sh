mkdir -p basin
i=0
while [ $i -lt 60 ]; do
  if [ $((i % 3)) -eq 0 ]; then mkdir -p basin/barge$i; else : > basin/barge$i.bill; fi
  i=$((i + 1))
done
