mkdir wax
i=1
while [ $i -le 30 ]; do
  printf '%0*d' $((i * 11 % 200 + 30)) $((i * 123456)) > wax/seal$i.imp
  i=$((i + 1))
done
