mkdir -p dropbox
chmod 1777 dropbox
i=0
while [ $i -lt 26 ]; do
  printf 'boat: Gannet%d\ncrew: %d\nhandicap: 0.%d\n' $i $((i % 5 + 1)) $((95 - i)) > dropbox/club$i.txt
  i=$((i + 1))
done
ln -s /etc/hostname dropbox/zz-link.txt
echo 'hello' > dropbox/note.txt
