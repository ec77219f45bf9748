i=1
: > puzzles.txt
while [ $i -le 26 ]; do
  echo "picture$i $((i % 6 + 4)) $((i % 5 + 3))" >> puzzles.txt
  i=$((i + 1))
done
