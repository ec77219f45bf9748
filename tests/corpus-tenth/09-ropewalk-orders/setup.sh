echo '{"hemp": 310, "manila": 275, "sisal": 190}' > prices.json
i=1
while [ $i -le 60 ]; do
  case $((i % 3)) in 0) k=hemp;; 1) k=manila;; *) k=sisal;; esac
  echo "R$i;$k;$((i % 17 * 10 + 40))"
  i=$((i + 1))
done > orders.txt
