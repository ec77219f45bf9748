mkdir -p drop
i=1
while [ $i -le 36 ]; do
  [ $((i % 6)) -eq 0 ] || echo "lines of delivery $i: $((i * 5))" > drop/i$i
  echo i$i
  i=$((i + 1))
done > manifest.txt
# the partners that deliver through a pipe make it themselves
echo 'for i in 6 12 18 24 30 36; do mkfifo drop/i$i; done' > partners.sh
