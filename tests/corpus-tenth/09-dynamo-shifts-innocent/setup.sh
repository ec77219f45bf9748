mkdir -p shifts
rm -f halt
i=10
while [ $i -lt 40 ]; do
  { echo 'watts=$(($1 * 37 % 400 + 100))'
    [ $i -ne 25 ] || echo 'echo "brush worn" > halt'
    echo 'echo "$watts"'
  } > shifts/s$i.sh
  i=$((i + 1))
done
