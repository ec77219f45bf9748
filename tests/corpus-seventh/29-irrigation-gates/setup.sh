i=0
: > moisture.txt
while [ $i -lt 48 ]; do
  echo "$i $(( (i / 6) * 5 + 20 ))" >> moisture.txt
  i=$((i + 1))
done
: > schedule.out
