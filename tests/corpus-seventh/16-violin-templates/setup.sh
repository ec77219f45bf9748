mkdir -p workshop/maker/cremona/violins/moulds
ln -s cremona workshop/maker/current
i=0
while [ $i -lt 30 ]; do
  echo "arch $((140 + i % 9)) ribs $((28 + i % 5))" > workshop/maker/cremona/violins/moulds/t$i.tpl
  i=$((i + 1))
done
