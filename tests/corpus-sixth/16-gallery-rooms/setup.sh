mkdir -p store/gallery/rooms/east
ln -s store/gallery gallery
i=1
while [ $i -le 64 ]; do
  : > store/gallery/rooms/east/pic$i.tif
  i=$((i + 1))
done
