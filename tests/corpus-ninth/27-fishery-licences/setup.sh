i=1
while [ $i -le 30 ]; do
  echo "L$((400 + i));boat$i;$((i * 11 % 90 + 10));open"
  i=$((i + 1))
done > register.txt
printf 'close L405\nraise L407 15\nclose L412\n--\nopen L405\nraise L420 8\n--\nclose L429\n' > decisions.txt
