rm -rf /tmp/tenth-usher
mkdir /tmp/tenth-usher && chmod 1777 /tmp/tenth-usher
i=10
while [ $i -lt 34 ]; do
  echo "row $((i % 8 + 1)) seats $((i % 3 + 1))" > /tmp/tenth-usher/req-$i
  i=$((i+1))
done
ln -s /etc/hostname /tmp/tenth-usher/req-34
