mkdir -p charges/family charges/county charges/realm charges/common
i=1
while [ $i -le 48 ]; do
  case $((i % 8)) in 0) d=family;; 1) d=county;; 2) d=realm;; *) d=common;; esac
  printf 'M%d,%dL%d,%dZ' $((i % 9)) $((i % 7)) $((i * 3 % 50)) $((i * 5 % 60)) > charges/$d/charge$i.path
  echo charge$i
  i=$((i + 1))
done > blazon.txt
echo 'M0,0L1,1Z' > charges/county/charge8.path
