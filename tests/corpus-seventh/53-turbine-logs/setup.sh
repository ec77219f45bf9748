mkdir logs
i=1
while [ $i -le 24 ]; do
  printf 'T%02d%0997d' $i $((i * 7907)) > logs/turbine$i.log
  i=$((i + 1))
done
