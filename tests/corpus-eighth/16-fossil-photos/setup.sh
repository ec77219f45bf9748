rm -rf archive photos; mkdir -p archive/europe/jura/quarry
i=1
while [ $i -le 30 ]; do p=$i; [ $i -gt 9 ] || p=0$i; echo "ammonite $i $((i * 19 % 23))" > archive/europe/jura/quarry/f$p.txt; i=$((i + 1)); done
ln -s archive/europe photos
