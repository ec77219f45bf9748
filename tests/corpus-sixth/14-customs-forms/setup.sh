printf 'book=0\ntoy=47\ncloth=120\nknife=35\ntea=64\nfree.limit=2200\n' > customs.properties
i=1
while [ $i -le 120 ]; do
  case $((i % 5)) in 0) k=book ;; 1) k=toy ;; 2) k=cloth ;; 3) k=knife ;; 4) k=tea ;; esac
  echo "$i $k $((i * 173 % 9000 + 300))"
  i=$((i + 1))
done > parcels.txt
