mkdir -p menus
i=0
: > rooms.txt
while [ $i -lt 21 ]; do
  echo "room$i $((i % 6 + 2))" >> rooms.txt
  printf 'scone %d\nseed cake %d\npot of tea %d\ntoast 7\n' $((90 + i)) $((140 + i)) $((60 + i)) > menus/room$i.txt
  i=$((i + 1))
done
