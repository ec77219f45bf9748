mkdir albums
for a in 0 1 2 3 4 5 6 7 8 9; do mkdir albums/a$a; done
echo '{"place": "Lisbon"}' > albums/a2/album.json
echo '{"place": "Turin"}' > albums/a7/album.json
i=0; while [ $i -lt 250 ]; do echo "a$((i % 10))/IMG_$i.jpg"; i=$((i+1)); done > photos.lst
