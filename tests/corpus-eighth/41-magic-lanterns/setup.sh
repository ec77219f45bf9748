rm -rf slides; mkdir slides
i=1
while [ $i -le 48 ]; do
  echo "slide $i, $((i * 7 % 40 + 5)) seconds" > slides/s$(printf '%02d' $((i % 12)))-$((i / 12)).txt
  i=$((i + 1))
done
printf '3 7 11 0 5 9 2\n' > programme.txt
