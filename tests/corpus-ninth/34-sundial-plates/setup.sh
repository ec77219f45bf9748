mkdir -p /tmp/ninth-b && chmod 1777 /tmp/ninth-b
i=0
for p in Wells Ely Ripon Truro Oslo Turin Bergen Lisbon Ghent Arles Siena Lund; do
  echo "$p $((38 + i * 2)).$i"
  i=$((i + 1))
done > places.txt
