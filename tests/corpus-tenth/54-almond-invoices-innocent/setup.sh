i=0
while [ $i -lt 64 ]; do
  i=$((i+1))
  echo "grove$((i % 8)),$((i * 37 % 101)),invoice$i"
done > invoices.csv
