d=luthier/stock/bowed/viola/strings/gut
mkdir -p $d
i=0
while [ $i -lt 64 ]; do
  case $((i % 4)) in 0) n=A;; 1) n=D;; 2) n=G;; *) n=C;; esac
  echo "$n 0.$((600 + i * 7)) mm $((i % 9 + 2)) m" > $d/reel$i.gut
  i=$((i + 1))
done
