mkdir -p keys
i=1
while [ $i -le 60 ]; do
  echo "key $i" > keys/k$i.pem
  i=$((i + 1))
done
chmod 600 keys/*.pem
chmod 644 keys/k1*.pem
chmod 666 keys/k33.pem
ln -s k41.pem keys/alias.pem
