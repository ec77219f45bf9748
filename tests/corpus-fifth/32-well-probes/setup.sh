mkdir -p wells
i=1
while [ $i -le 40 ]; do
  if [ $((i % 4)) = 0 ]; then echo "offline" > wells/w$i.dat; else echo "depth $((i * 13 % 71)) cm" > wells/w$i.dat; fi
  i=$((i + 1))
done
