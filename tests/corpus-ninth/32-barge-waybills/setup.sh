i=0
while [ $i -lt 30 ]; do
  f=$(printf 'waybill-%02d.txt' $i)
  printf 'barge Adelheid %d\ncoal tons %d\nslate tons %d\nno cargo\n' $i $((i * 3 + 1)) $((90 - i)) > $f
  i=$((i + 1))
done
