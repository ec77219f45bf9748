for s in north south west; do
  i=1; while [ $i -le 25 ]; do echo "$((i * 37 % 101)) $s guard$((i % 7))"; i=$((i + 1)); done > $s.roster
done
