rm -rf galleys; mkdir galleys
i=10
while [ $i -lt 24 ]; do
  echo "teh quick compositor nr $i recieved a galley adn set it" > galleys/g$i.txt
  i=$((i+1))
done
