rm -rf bells; mkdir bells; rm -f night.txt
i=3
while [ $i -le 40 ]; do
  if [ $((i % 2)) -eq 0 ]; then w=fever; else w=tooth; fi
  echo "$((i % 24)) o'clock, $w" > bells/room$i
  i=$((i + 3))
done
