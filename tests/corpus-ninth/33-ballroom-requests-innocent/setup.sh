rm -rf requests claimed; mkdir requests; chmod 1777 requests
i=0
while [ $i -lt 36 ]; do
  echo guest$i
  case $((i % 4)) in
  0) ;;
  1) echo 'dance: waltz' > requests/guest$i.req;;
  2) echo 'dance: polka' > requests/guest$i.req;;
  *) [ $((i % 3)) = 0 ] && echo 'play louder' > requests/guest$i.req;;
  esac
  i=$((i + 1))
done > guests.txt
