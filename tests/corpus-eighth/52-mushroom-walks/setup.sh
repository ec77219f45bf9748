rm -f links.txt; rm -rf finds; mkdir finds
i=1
while [ $i -le 44 ]; do
  if [ $((i % 5)) -eq 0 ]; then w=chanterelle; else w=bolete; fi; printf '%s\n%s m\n%s\n' "${w}" "$((i * 29 % 700 + 100))" "$((i % 4)) eaten" > finds/f$i.txt
  i=$((i + 1))
done
