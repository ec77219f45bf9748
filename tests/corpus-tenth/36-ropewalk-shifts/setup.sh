i=0
while [ $i -lt 60 ]; do
  i=$((i+1))
  case $((i % 5)) in 0) n=adam;; 1) n=bess;; 2) n=carl;; 3) n=dora;; 4) n=ezra;; esac
  echo "$n $((i % 4 + 3)) $((i % 7 * 10))"
done > shifts.txt
