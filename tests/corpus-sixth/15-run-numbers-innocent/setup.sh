i=1
while [ $i -le 12 ]; do
  mkdir -p runs/run$(printf %03d $i)
  i=$((i + 1))
done
