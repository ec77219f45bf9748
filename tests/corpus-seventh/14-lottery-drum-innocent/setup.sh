i=0
while [ $i -le 18 ]; do
  awk -v n=$i 'BEGIN { for (i = n + 1; i <= 18; i++) print i * 7 % 19 }' > drum.$i
  i=$((i + 1))
done
mv drum.0 drum.txt
cat > drawer.sh <<'X'
exec /bin/mv drum.$1 drum.txt
X
