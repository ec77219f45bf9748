mkdir source cache
i=1
while [ $i -le 12 ]; do
  printf 'hello %d\nbread %d\nroad %d\n' $i $((i + 1)) $((i + 2)) > source/t$i.txt
  printf 'bread %d\nhello %d\nroad %d\n' $((i + 1)) $i $((i + 2)) > cache/t$i.sorted
  if [ $((i % 5)) -lt 2 ]; then
    echo "cheese $i" >> source/t$i.txt
    touch -d '2024-02-02 UTC' source/t$i.txt
  else
    touch -d '2023-01-01 UTC' source/t$i.txt
  fi
  touch -d '2023-06-06 UTC' cache/t$i.sorted
  i=$((i + 1))
done
