rm -f score.txt
i=0
while [ $i -lt 90 ]; do
  i=$((i+1))
  case $((i * 7 % 4)) in 0) b=blue;; 1) b=red;; 2) b=black;; 3) b=yellow;; esac
  echo "$b $((i % 13)) $((i % 5))"
done > strokes.txt
