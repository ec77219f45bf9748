i=0
while [ $i -lt 20 ]; do
  d=villages/v$i
  mkdir -p $d
  echo v$i
  echo "granite tuff sandstone" > $d/stones
  cat > $d/oven.sh <<'E'
read -r a b c < stones
read -r rows < size
n=0
while [ $n -lt $rows ]; do
  n=$((n + 1))
  echo "$a on $b, row $n, sealed with $c"
done > oven.txt
E
  echo $((i % 5 + 2)) > $d/size
  i=$((i + 1))
done > list.txt
