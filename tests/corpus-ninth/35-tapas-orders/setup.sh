rm -rf books
i=0
while [ $i -lt 120 ]; do
  case $((i % 7)) in 0) d=olives;; 1) d=squid;; 2) d='fried peppers';; 3) d=tortilla;; 4) d=anchovies;; 5) d=almonds;; *) d=cheese;; esac
  echo "table$((i % 12)) $d"
  i=$((i + 1))
done > orders.txt
