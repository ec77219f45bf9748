mkdir -p reeds
i=0
while [ $i -lt 60 ]; do
  i=$((i+1))
  if [ $((i % 3)) -eq 0 ]; then printf 'REED%04d\nbrass tongue %d\npitch %d\n' $i $i $((200+i*3)) > reeds/r$i.rd
  else printf 'WAXB%04d\nbellows fold %d\n' $i $i > reeds/r$i.rd; fi
done
