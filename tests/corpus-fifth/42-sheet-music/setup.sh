for p in bach haydn reger ravel; do
  mkdir -p music/$p
  i=1; while [ $i -le 12 ]; do seq $i $((i + 40)) > music/$p/part$i.abc; i=$((i + 1)); done
done
