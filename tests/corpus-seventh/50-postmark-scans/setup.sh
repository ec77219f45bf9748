mkdir scans
i=1
while [ $i -le 35 ]; do
  printf 'PM%04d%0*d' $((1850 + i)) $((i * 6 + 20)) 7 > scans/mark$i.pm
  i=$((i + 1))
done
touch -d '2023-05-06 07:08:09 UTC' scans/*
