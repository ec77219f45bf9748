printf 'inland 85\nfrance 110\nitaly 120\nnorway 130\nperu 210\n' > rates.tbl
i=1
while [ $i -le 40 ]; do
  case $((i % 5)) in 0) z=inland;; 1) z=france;; 2) z=italy;; 3) z=norway;; 4) z=peru;; esac
  echo "$z $((i * 13 % 90 + 10)) letter$i"
  i=$((i + 1))
done > tray.txt
