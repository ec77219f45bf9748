mkdir gallery
i=1
: > blazons.txt
while [ $i -le 20 ]; do
  set -- or argent gules azure vert
  shift $((i % 5)); field=$1
  echo "house$i $field $((i % 4 + 1))" >> blazons.txt
  i=$((i + 1))
done
