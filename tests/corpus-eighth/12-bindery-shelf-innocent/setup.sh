rm -rf shelf; mkdir shelf
i=1
while [ $i -le 40 ]; do
  p=$i; [ $i -gt 9 ] || p=0$i
  n=shelf/vol$p
  printf "%$((i * 11 % 97 + 3))s" "x" > $n
  i=$((i + 1))
done
chmod 644 shelf/*; chmod 600 shelf/vol07 shelf/vol30
touch -d '2023-05-04 12:00:00 UTC' shelf/*
