mkdir -p accounts
i=10
while [ $i -lt 25 ]; do
  j=0; while [ $j -lt $((i % 5 + 2)) ]; do j=$((j+1)); echo "$j $((i * j * 13 % 90 - 30))"; done > accounts/a$i.txt
  i=$((i+1))
done
