i=1
while [ $i -le 8 ]; do
  echo "item Point $i of the agenda"
  j=1
  while [ $j -le $((i % 4 + 5)) ]; do
    case $(((i * j) % 3)) in 0) k=note;; 1) k=vote;; 2) k=note;; esac
    echo "$k member$(((i + j) % 11)) speaks of the hives $((i * j)) for $((j % 6 + 1)) minutes"
    j=$((j + 1))
  done
  i=$((i + 1))
done > transcript.txt
