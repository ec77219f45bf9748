mkdir -p acts
i=1
while [ $i -le 28 ]; do
  n=$(printf '%02d' $i)
  echo "echo scene $n >> played.txt" > acts/$n.sh
  [ $i -eq 21 ] && echo 'echo "the tenor is hoarse" > curtain.down' >> acts/$n.sh
  i=$((i + 1))
done
