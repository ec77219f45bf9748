# Somebody else, who puts a link in the place of `plain` as soon as it was checked.
echo mine > plain
echo another > secret
ln -s secret planted
ln -s plain shortcut
mkfifo swapped
timeout 60 sh -c '
while [ ! -e checked ]; do
  [ -p swapped ] || exit
  sleep 0.02
done
mv -T planted plain
echo > swapped
' < /dev/null > /dev/null 2>&1 &
