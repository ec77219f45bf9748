{ echo 'title Harbour dues'; echo 'columns ship tons days'; echo 'unit crowns'; echo 'clerk A. Holm'
  i=1; while [ $i -le 8 ]; do echo "note number $i about berth $((i * 3))"; i=$((i + 1)); done
  echo ''
  i=1; while [ $i -le 120 ]; do echo "ship$i $((i * 83 % 900)) $((i % 9))"; i=$((i + 1)); done; } > dues.txt
