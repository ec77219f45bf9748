mkdir statements
i=1
: > interviews.txt
while [ $i -le 28 ]; do
  echo "w$i|officer$((i % 4))|saw $((i * 3 % 9 + 1)) people near the bridge" >> interviews.txt
  i=$((i + 1))
done
