mkdir -p evenings
e=1
while [ $e -le 9 ]; do
  i=0; while [ $i -lt 24 ]; do echo "$((i % 12)) dancer$((i * e % 24)) partner$(((i * 5 + e) % 24))"; i=$((i + 1)); done > evenings/e$e.txt
  e=$((e + 1))
done
