# Makes each table anew, and takes the sorted one for it.
for name in one two three; do
  echo "new $name" > $name
  sync $name
  echo "sorted $name" > $name.sorted
  sync $name.sorted
  rm -f $name
  mv $name.sorted $name
done
sync .
echo "published 3"
