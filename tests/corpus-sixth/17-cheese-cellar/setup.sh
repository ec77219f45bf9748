{
  echo 160
  i=1
  while [ $i -le 160 ]; do
    echo "$i $((i * 11 % 70)) $((i * 29 % 360))"
    i=$((i + 1))
  done
} > cellar.txt
