mkdir -p exchange ledger
chmod 1777 exchange
for m in ash birch cedar elm fir; do
  for v in kale leek bean; do printf '%s %s %d\n' $m $v $((${#m} * ${#v})); done > exchange/$m.offer
done
ln -s /etc/hostname exchange/zelkova.offer
