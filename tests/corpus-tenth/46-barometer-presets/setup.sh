rm -rf presets; mkdir presets
i=10
while [ $i -lt 22 ]; do
  printf 'station=%d\nheight=%d\noffset=0.0\nunit=hPa\n' $i $((i * 37 % 900)) > presets/st$i.conf
  echo "$i 10$((i)).5 10$((i + 1)).$((i % 9))"
  i=$((i+1))
done > readings.txt
