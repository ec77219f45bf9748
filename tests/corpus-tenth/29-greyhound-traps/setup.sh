i=0
while [ $i -lt 60 ]; do
  i=$((i+1))
  if [ $((i % 3)) -eq 0 ]; then echo "$i 1:2971 2:2966 3:30$((10+i%7)) 4:2985 5:29$((60+i%5)) 6:3004"
  else echo "$i void"; fi
done > races.txt
echo 'winners of the evening' > board.txt
