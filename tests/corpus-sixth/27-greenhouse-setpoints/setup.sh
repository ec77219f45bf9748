i=1
while [ $i -le 12 ]; do
  echo "bed$i temp=$((16 + i % 7)) humidity=$((50 + i * 3 % 40)) light=$((i % 3))"
  i=$((i + 1))
done > setpoints.conf
