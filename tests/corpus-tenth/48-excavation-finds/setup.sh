d=site/hill/trench-4/layer-b/square-17/finds
mkdir -p $d
i=10
while [ $i -lt 60 ]; do
  case $((i % 4)) in 0) k=sherd;; 1) k=coin;; 2) k=bone;; 3) k=nail;; esac
  echo "$k $((i * 3 % 17)) $((i * 5 % 40))" > $d/f$i
  i=$((i+1))
done
