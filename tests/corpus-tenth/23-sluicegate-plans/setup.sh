mkdir -p plans
i=0
while [ $i -lt 40 ]; do
  { printf 'SLUICE plan%03d boards%02d  drawn in 18%02d  \n' $i $((i % 9 + 4)) $i | cut -c1-39
    j=0
    while [ $j -lt $((i % 9 + 4)) ]; do printf 'board %02d width %03d thick %02d\n' $j $((i * 7 % 60 + j)) $((j % 4 + 2)); j=$((j + 1)); done
  } > plans/$i.plan
  i=$((i + 1))
done
