for c in alder birch cedar dogwood elm fir gorse hazel; do
  for m in chest waist sleeve back collar; do
    echo "$c,$m,$(( (${#c} * 17 + ${#m} * 29) % 60 + 20 ))"
  done
done > fittings.csv
