mkdir -p looms/north looms/south looms/east looms/attic
i=1
while [ $i -le 60 ]; do
  case $((i % 4)) in 0) d=north;; 1) d=south;; 2) d=east;; 3) d=attic;; esac
  : > looms/$d/$((1800 + i))-$((i % 3 + 2))shaft.wif
  i=$((i + 1))
done
