mkdir -p manifests
for n in 1 2 3 4 5 6 7 8; do
  { echo "FERRY$n $((n * 40))"; i=0; while [ $i -lt $((n * 3)) ]; do echo "car $((1000 + i * n)) $((900 + i * 31))"; i=$((i + 1)); done; } > manifests/trip$n.txt
done
