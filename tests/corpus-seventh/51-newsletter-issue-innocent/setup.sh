mkdir issues
i=1
: > articles.txt
while [ $i -le 20 ]; do
  echo "$i;Garden news number $i;$((i * 9 % 14 + 3)) beds dug" >> articles.txt
  i=$((i + 1))
done
