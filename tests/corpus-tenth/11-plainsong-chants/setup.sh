mkdir -p chants
i=1
while [ $i -le 48 ]; do
  case $((i % 6)) in 0) e=gabc;; 1|2) e=txt;; 3) e=nabc;; *) e=lily;; esac
  [ $((i % 16)) = 0 ] || printf '(c4) Sal(f)ve(gf) Re(%d)gi(h)na(g)\nmode %d\n' $((i % 5)) $((i % 8 + 1)) > chants/c$i.$e
  echo c$i
  i=$((i + 1))
done > proper.txt
