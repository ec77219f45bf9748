mkdir -p dropbox; chmod 1777 dropbox
for n in 1 2 3 4 5 6; do echo "verse $n of the hymn" > dropbox/v$n.txt; done
ln -s /etc/hostname dropbox/v7.txt
