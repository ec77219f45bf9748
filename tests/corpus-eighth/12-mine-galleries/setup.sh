rm -rf mine; mkdir mine
for g in adit crosscut drift level shaft stope; do
  mkdir mine/$g
  i=1
  while [ $i -le 8 ]; do echo "$g sample $i" > mine/$g/s$i.txt; i=$((i + 1)); done
done
ln mine/adit/s1.txt mine/adit/s1-again.txt
ln mine/adit/s1.txt mine/stope/first.txt
ln mine/level/s4.txt mine/level/same.txt
