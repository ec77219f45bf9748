mkdir -p site
i=1
while [ $i -le 40 ]; do
  case $((i % 4)) in 0) b=flemish;; 1) b=english;; 2) b=stretcher;; 3) b=monk;; esac
  echo "wall$i $b $((i * 3 % 12 + 4)) $((i % 4 + 2))"
  i=$((i + 1))
done > walls.txt
