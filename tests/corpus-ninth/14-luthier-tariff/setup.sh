cat > tariff.ini <<'X'
[hours]
crack = 6
bridge = 2
peg = 1
varnish = 9
[money]
hour = 4200
rush = 30
X
i=1
while [ $i -le 50 ]; do
  case $((i % 4)) in 0) w=crack;; 1) w=bridge;; 2) w=peg;; 3) w=varnish;; esac
  echo "violin$i $w $( [ $((i % 6)) = 0 ] && echo rush || echo calm )"
  i=$((i + 1))
done > repairs.txt
