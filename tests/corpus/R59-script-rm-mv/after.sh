# Publishes three tables.
for name in one two three; do
  echo "new $name" > $name.new
  sync $name.new
  mv $name.new $name
done
sync .
echo "published 3"
