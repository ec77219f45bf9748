b=store/images/scanned/2024/catalogue/tmp
mkdir -p $b
i=1; while [ $i -le 100 ]; do
  echo "scan $i" > $b/scan$i.tif
  [ $((i % 4)) = 0 ] && touch -d '2001-01-01' $b/scan$i.tif
  i=$((i + 1))
done
exit 0
