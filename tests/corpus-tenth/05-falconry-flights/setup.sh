i=0
while [ $i -lt 96 ]; do
  printf 'falcon%02d%04088d' $((i * i / 300)) $((i * 31))
  i=$((i + 1))
done > flights.trk
