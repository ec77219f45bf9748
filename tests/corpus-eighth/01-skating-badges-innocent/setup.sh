rm -rf badges; mkdir badges
i=1
while [ $i -le 40 ]; do
  p=$i; [ $i -gt 9 ] || p=0$i
  printf 'skater: S%d\nlevel: %d\n' $i $((i % 7 + 1)) > badges/b$p.yml
  i=$((i + 1))
done
touch -d '2024-03-01 10:00:00 UTC' badges/*.yml
touch -d '2024-03-09 10:00:00 UTC' badges/b07.yml badges/b19.yml badges/b33.yml
echo '1709683200' > last-run
