i=1
while [ $i -le 40 ]; do
  mkdir -p releases/r$i
  echo "build $((i * 17 % 100))" > releases/r$i/VERSION
  i=$((i + 1))
done
