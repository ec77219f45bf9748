mkdir dams
i=1
while [ $i -le 16 ]; do
  printf '{"dam":%d,"level":%d,"gate":0}\n' $i $((i * 31 % 40 + 60)) > dams/dam$i.json
  i=$((i + 1))
done
: > journal.log
