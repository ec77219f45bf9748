mkdir incoming
for i in $(seq 1 60); do
  printf 'supplier=%d\ncurrency=EUR\nitem=cable;%d;3\nitem=plug;2;%d\n' $((i % 7)) $i $i > incoming/$(printf %04d $i).inv
done
touch -d '2 hours ago' incoming/*.inv
