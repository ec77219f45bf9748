mkdir -p errands
for f in lobby attic garden kitchen; do
  { echo "trunk for the $f"; echo "two hat boxes"; echo "telegram, wait for the answer ${#f}"; } > errands/$f.txt
done
printf 'lobby 3\nattic 5\ngarden 2\nkitchen 4\n' > tips.txt
