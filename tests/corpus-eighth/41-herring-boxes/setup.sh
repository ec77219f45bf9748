rm -rf landings; mkdir landings
i=1
while [ $i -le 40 ]; do
  echo "$((i * 17 % 60 + 5)) $((i % 3 + 1))" > landings/$(printf '%03d' $i)-boat$((i * 7 % 41)).txt
  i=$((i + 1))
done
i=1
while [ $i -le 50 ]; do echo "boat$((i * 5 % 43))"; i=$((i + 1)); done > queries.txt
