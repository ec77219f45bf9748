rm -rf barns; mkdir barns
i=0
while [ $i -lt 90 ]; do
  case $((i * 7 % 6)) in 0) p=Ashby;; 1) p=Barrow;; 2) p=Coombe;; 3) p=Dene;; 4) p=Elham;; *) p=Frome;; esac
  echo "$p|F$i|$((i * 31 % 300 + 40))|$([ $((i % 2)) = 0 ] && echo wheat || echo barley)"
  i=$((i + 1))
done > harvest.txt
