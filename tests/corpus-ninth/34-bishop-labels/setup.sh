mkdir -p /tmp/ninth-b && chmod 1777 /tmp/ninth-b
i=0
while [ $i -lt 24 ]; do
  case $((i % 4)) in 0) t=Wells;; 1) t=Ely;; 2) t=Ripon;; *) t=Truro;; esac
  echo "St Botolph $i|Grey $i|$t"
  i=$((i + 1))
done > parishes.txt
