mkdir -p tabs
i=1
while [ $i -le 36 ]; do
  { echo "title Air no. $i"; echo "holes $((i % 3 * 2 + 4))"; j=0; while [ $j -lt $((i % 8 + 4)) ]; do printf 'XOXO XXOO OOXX O%dXO\n' $j; j=$((j + 1)); done; } > tabs/air$i.tab
  i=$((i + 1))
done
